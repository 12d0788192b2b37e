"""Makes calls with a generated client, and reads the answers with generated models.

    calls.py URL    in a folder with rowhouse_client and rowhouse_models.py
"""

import json
import os
import re
import sys

import rowhouse_models
from rowhouse_client import Client
from rowhouse_client.api.history import undo
from rowhouse_client.api.items import create_item, edit_item, item
from rowhouse_client.api.lists import create_list
from rowhouse_client.api.rows import move_row, rows
from rowhouse_client.models import Car, ItemPatch, ItemRow, RowMove, NewItem, NewList, SentinelRow

# openapi-python-client knows JSON and forms only.
OTHER_BODIES = {"importInventory", "importTable", "addPhoto", "addRendition"}


def main(url):
    """Six calls, each of which must succeed."""
    client = Client(base_url=url, raise_on_unexpected_status=True)
    garage = create_list.sync(client=client, body=NewList.from_dict({"title": "Garage"}))
    names = ["Jack", "Pump"]
    made = [create_item.sync(garage.id, client=client, body=NewItem.from_dict({"name": name}))
            for name in names]
    volvo = create_item.sync(garage.id, client=client, body=NewItem.from_dict(
        {"car": {"make": "Volvo", "year": 1989}, "position": {"before": str(made[0].id)}}))
    assert isinstance(volvo.car, Car) and volvo.car.year == 1989, volvo
    assert made[0].car is None and made[0].contents_list_id is None, made[0]
    page = rows.sync(garage.id, client=client)
    assert [type(row) for row in page.rows] == [ItemRow, ItemRow, ItemRow, SentinelRow], page.rows
    receipt = move_row.sync(garage.id, client=client, body=RowMove.from_dict({"from": 0, "to": 2}))
    page = rows.sync(garage.id, client=client)
    assert [row.title for row in page.rows[:3]] == [*names, volvo.name or page.rows[2].title]
    assert undo.sync(int(receipt.undo.split("/")[3]), client=client).changed
    edited = edit_item.sync(made[0].id, client=client, body=ItemPatch.from_dict({"notes": "Red"}))
    # A patch changes only what it has.
    assert (edited.notes, edited.name, edited.quantity) == ("Red", "Jack", 1), edited
    answer = item.sync_detailed(volvo.id, client=client)
    model = rowhouse_models.Item.model_validate_json(answer.content)
    assert model.car.make == "Volvo" and model.contentsListId is None, model
    page = rows.sync_detailed(garage.id, client=client)
    model = rowhouse_models.Rows.model_validate_json(page.content)
    kinds = [type(row.root).__name__ if hasattr(row, "root") else type(row).__name__
             for row in model.rows]
    assert kinds == ["ItemRow", "ItemRow", "ItemRow", "SentinelRow"], kinds


def check_names():
    """Each operation and each component must have a name of its own in the client."""
    with open("openapi.json", encoding="utf-8") as file:
        document = json.load(file)

    def snake(name):
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()

    modules = {name.removesuffix(".py").rstrip("_") for _, _, names in os.walk("rowhouse_client/api")
               for name in names}
    operations = {operation["operationId"] for path in document["paths"].values()
                  for operation in path.values()}
    missing = {name for name in operations - OTHER_BODIES if snake(name) not in modules}
    assert not missing, f"no calls for {missing}"
    models = set(os.listdir("rowhouse_client/models"))
    made_up = {name for name in models if re.search(r"_type_\d+\.py$", name)
               and "_response_" not in name}
    assert not made_up, f"names made up by the generator: {made_up}"


main(sys.argv[1])
check_names()
