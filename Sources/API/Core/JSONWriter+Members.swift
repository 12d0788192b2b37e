import Inventory
import JSON

/// Writes members of objects by the types of their values, and collections.
extension JSONWriter {
  /// The JSON that `write` writes.
  static func bytes<E: Error>(
    capacity: Int = 1024, _ write: (inout JSONWriter) throws(E) -> Void
  ) throws(E) -> [UInt8] {
    var writer = JSONWriter(capacity: capacity)
    try write(&writer)
    return writer.finish()
  }

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

  mutating func member(_ name: StaticString, _ value: Int64?) {
    key(name)
    if let value { int(value) } else { null() }
  }

  mutating func member(_ name: StaticString, _ value: (some Identifier)?) {
    key(name)
    id(value)
  }

  mutating func member(_ name: StaticString, _ value: [RowID]) {
    array(name, value) { $0.id($1) }
  }

  mutating func member(_ name: StaticString, _ value: Timestamp?) {
    key(name)
    string(value?.description)
  }

  mutating func member(_ name: StaticString, _ value: Cents?) {
    key(name)
    money(value)
  }

  mutating func member(_ name: StaticString, _ value: TotalCents) {
    key(name)
    decimal(value.amount, places: 2)
  }

  /// Writes an object. `write` writes its members.
  mutating func object<E: Error>(
    _ write: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    beginObject()
    try write(&self)
    endObject()
  }

  /// Writes a member that is an object.
  mutating func object<E: Error>(
    _ name: StaticString, _ write: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    key(name)
    try object(write)
  }

  /// Writes a member that is an object or null.
  mutating func object<Value>(
    _ name: StaticString, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void
  ) {
    key(name)
    guard let value else { return null() }
    object { write(&$0, value) }
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

  /// Writes a member that is an array of objects. `write` writes the members of one.
  mutating func objects<Element>(
    _ name: StaticString, _ elements: some Sequence<Element>,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    array(name, elements) { writer, element in writer.object { write(&$0, element) } }
  }

  /// Writes the body of a collection of objects. `write` writes the members of one.
  ///
  /// - Parameter count: the number of elements on all pages. Nil: `elements` is the whole collection.
  mutating func collection<Element>(
    _ name: StaticString, _ elements: some Collection<Element>, count: Int? = nil,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    object { writer in
      writer.member("count", count ?? elements.count)
      writer.objects(name, elements, write)
    }
  }

  mutating func id(_ id: some Identifier) { uuid(id.uuid.uuid) }

  mutating func id(_ id: (some Identifier)?) {
    if let id { self.id(id) } else { null() }
  }

  mutating func money(_ value: Cents?) {
    if let value { decimal(value.amount, places: 2) } else { null() }
  }
}
