import Inventory
import JSON

/// Writes members of objects by the types of their values, and collections.
extension JSONWriter {
  mutating func member(_ name: StaticString, _ value: String?) {
    key(name)
    string(value)
  }

  mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  mutating func member(_ name: StaticString, _ value: Int?) {
    key(name)
    int(value)
  }

  mutating func member(_ name: StaticString, _ value: Int64) {
    key(name)
    int(value)
  }

  mutating func member(_ name: StaticString, _ value: (some Identifier)?) {
    key(name)
    id(value)
  }

  mutating func member(_ name: StaticString, _ value: [RowID]) {
    key(name)
    ids(value)
  }

  mutating func member(_ name: StaticString, _ value: Timestamp) {
    key(name)
    time(value)
  }

  mutating func member(_ name: StaticString, _ value: Cents?) {
    key(name)
    money(value)
  }

  /// Writes a member that is an object or null.
  mutating func object<Value>(
    _ name: StaticString, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void
  ) {
    key(name)
    guard let value else { return null() }
    beginObject()
    write(&self, value)
    endObject()
  }

  mutating func array<Element>(
    _ name: StaticString, _ elements: some Sequence<Element>,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  /// Writes the body of a collection.
  ///
  /// - Parameter count: the number of elements on all pages. Nil: `elements` is the whole collection.
  mutating func collection<Element>(
    _ name: StaticString, _ elements: some Collection<Element>, count: Int? = nil,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    beginObject()
    member("count", count ?? elements.count)
    array(name, elements, write)
    endObject()
  }

  mutating func id(_ id: some Identifier) { uuid(id.uuid.uuid) }

  mutating func id(_ id: (some Identifier)?) {
    if let id { self.id(id) } else { null() }
  }

  mutating func ids(_ ids: [RowID]) {
    beginArray()
    for id in ids { self.id(id) }
    endArray()
  }

  mutating func money(_ value: Cents?) {
    if let value { decimal(value.amount, places: 2) } else { null() }
  }

  mutating func time(_ timestamp: Timestamp) { string(timestamp.description) }
}
