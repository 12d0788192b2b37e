import Inventory
import JSON

extension JSONWriter {
  /// What became of each operation of a batch, and the receipt of them all.
  mutating func batch(_ results: BatchResults, _ receipt: Receipt, for audience: Audience) {
    beginObject()
    key("results")
    beginObject()
    key("deletes")
    beginArray()
    for deletion in results.deletions {
      beginObject()
      key("id")
      id(deletion.id)
      key("index")
      int(deletion.index.value)
      endObject()
    }
    endArray()
    key("inserts")
    resources(results.insertions, for: audience)
    key("moves")
    beginArray()
    for move in results.moves {
      beginObject()
      key("id")
      id(move.id)
      key("from")
      int(move.from.value)
      key("to")
      int(move.to.value)
      endObject()
    }
    endArray()
    key("updates")
    resources(results.updates, for: audience)
    endObject()
    key("receipt")
    self.receipt(receipt, for: audience)
    endObject()
  }

  private mutating func resources(_ resources: [Outcome.Resource], for audience: Audience) {
    beginArray()
    for resource in resources {
      beginObject()
      resourceMembers(resource, for: audience)
      endObject()
    }
    endArray()
  }

  /// What stands between the braces of a list, an item or a photo as a write answers it: with its `index`.
  mutating func resourceMembers(_ resource: Outcome.Resource, for audience: Audience) {
    switch resource {
    case .list(let list, let index):
      listMembers(list, for: audience)
      key("index")
      int(index?.value)
    case .item(let item, let index):
      itemMembers(item)
      key("index")
      int(index.value)
    case .photo(let photo, _, let index): photoMembers(photo, index: index)
    // These are answered as they are, never with a receipt.
    case .navigator, .appearance, .inventory: break
    }
  }
}
