"""The words of the interface: an inventory has lists and items, and an item is a thing or a car."""

import re

import pytest

# Words of the API, and others for the same.
FOREIGN = {"en": r"\b(rows?|sentinel|root list|deleted?(?! permanently))\b", "ar": r"صف(وف|ًا|ان)?\b"}
# What is erased for good is not only removed.
ERASED = {"didPurge", "purge", "purgeAsk", "goneHere"}


@pytest.mark.parametrize("language", FOREIGN)
def test_texts_have_the_words_that_people_use(start, language):
    found = start.evaluate(
        "async (language) => (await fetch('/v1/texts', { headers: { 'Accept-Language': language } })).json()", language)
    texts = found["texts"]
    assert found["language"] == language and len(texts) > 300
    wrong = {name: text for name, text in texts.items() if name not in ERASED and re.search(FOREIGN[language], text, re.IGNORECASE)}
    assert wrong == {}
