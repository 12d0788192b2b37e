/// Appends JSON without white space to its own buffer and adds the commas.
///
/// The caller must write a valid sequence: in an object, a key before each value. Only quotes,
/// backslashes and control characters are escaped (RFC 8259, section 7).
package struct JSONWriter: ~Copyable {
  // A buffer of its own: an array would check for uniqueness before each of many small stores.
  private var storage: UnsafeMutableBufferPointer<UInt8>
  /// The number of bytes written.
  package private(set) var count = 0
  private var needsComma = false

  package init(capacity: Int = 256) {
    storage = .allocate(capacity: max(capacity, 32))
  }

  deinit { storage.deallocate() }

  /// A copy of the bytes written so far.
  package var bytes: [UInt8] { withBytes { Array($0) } }

  /// Ends the writer and returns its bytes.
  package consuming func finish() -> [UInt8] { bytes }

  /// Clears the writer and keeps its capacity.
  package mutating func removeAll() {
    count = 0
    needsComma = false
  }

  /// Calls `body` with the written bytes, which are valid only during the call.
  package func withBytes<R, E: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeBufferPointer(rebasing: storage[..<count]))
  }

  // MARK: Structure

  package mutating func beginObject() { open(UInt8(ascii: "{")) }

  package mutating func endObject() { close(UInt8(ascii: "}")) }

  package mutating func beginArray() { open(UInt8(ascii: "[")) }

  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes a key, which must be printable ASCII without quotes and backslashes: it is not escaped.
  package mutating func key(_ key: StaticString) {
    let text = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
    separate()
    write(atMost: text.count + 3) { start in
      var end = start
      end.put(UInt8(ascii: "\""))
      end.put(text)
      end.put(UInt8(ascii: "\""))
      end.put(UInt8(ascii: ":"))
      return end
    }
    needsComma = false
  }

  /// Writes members, or the start of one, unchanged. The text ends before a value, such as
  /// `"type":"item","id":`. Saves calls where thousands of rows are written.
  package mutating func fragment(_ text: StaticString) {
    let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    separate()
    write(atMost: text.count) { start in
      var end = start
      end.put(text)
      return end
    }
    needsComma = false
  }

  // Literals should use the overload above.
  @_disfavoredOverload
  package mutating func key(_ key: String) {
    string(key)
    put(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Values

  package mutating func null() { literal("null") }

  package mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  package mutating func string(_ value: String) {
    let written: Void? = value.utf8.withContiguousStorageIfAvailable { string(utf8: $0) }
    if written == nil {
      Array(value.utf8).withUnsafeBufferPointer { string(utf8: $0) }
    }
  }

  /// Writes a string from bytes that must be valid UTF-8.
  package mutating func string(utf8 text: UnsafeBufferPointer<UInt8>) {
    separate()
    guard text.count <= Self.stretch else {
      longString(text)
      return
    }
    // An escape has at most six bytes.
    write(atMost: text.count * 6 + 2) { start in
      var end = start
      end.put(UInt8(ascii: "\""))
      end = StringEscaping.put(text, to: end)
      end.put(UInt8(ascii: "\""))
      return end
    }
    needsComma = true
  }

  /// Writes a string from unchecked bytes and repairs invalid UTF-8.
  package mutating func string(unchecked text: UnsafeBufferPointer<UInt8>) {
    if StringEscaping.isASCII(text) {
      string(utf8: text)
    } else {
      string(String(decoding: text, as: UTF8.self))
    }
  }

  /// Writes a string from unchecked bytes, or null.
  package mutating func string(unchecked text: UnsafeBufferPointer<UInt8>?) {
    if let text { string(unchecked: text) } else { null() }
  }

  // Long strings are written in parts of this size, to reserve less for the worst case.
  private static let stretch = 256

  private mutating func longString(_ text: UnsafeBufferPointer<UInt8>) {
    put(UInt8(ascii: "\""))
    for start in stride(from: 0, to: text.count, by: Self.stretch) {
      let part = UnsafeBufferPointer(
        rebasing: text[start..<min(start + Self.stretch, text.count)])
      write(atMost: part.count * 6) { StringEscaping.put(part, to: $0) }
    }
    put(UInt8(ascii: "\""))
    needsComma = true
  }

  package mutating func string(_ value: String?) {
    if let value { string(value) } else { null() }
  }

  package mutating func int(_ value: Int) { decimal(Int64(value), places: 0) }

  package mutating func int(_ value: Int64) { decimal(value, places: 0) }

  package mutating func int(_ value: Int?) {
    if let value { int(value) } else { null() }
  }

  /// Writes units of 10^−places in the shortest form: 1250 with 2 places is 12.5, and 100 is 1.
  package mutating func decimal(_ units: Int64, places: Int) {
    decimal(isNegative: units < 0, magnitude: units.magnitude, places: places)
  }

  package mutating func decimal(_ units: Int128, places: Int) {
    if let small = UInt64(exactly: units.magnitude) {
      decimal(isNegative: units < 0, magnitude: small, places: places)
    } else {
      decimal(isNegative: units < 0, magnitude: units.magnitude, places: places)
    }
  }

  private mutating func decimal<Magnitude: FixedWidthInteger & UnsignedInteger>(
    isNegative: Bool, magnitude: Magnitude, places: Int
  ) {
    separate()
    write(atMost: 43 + max(places, 0)) { start in
      var end = start
      if isNegative { end.put(UInt8(ascii: "-")) }
      return DecimalDigits.put(magnitude, places: places, to: end)
    }
    needsComma = true
  }

  /// Writes a UUID (RFC 9562) of 36 lowercase characters. `high` holds its first eight bytes in network order.
  package mutating func uuid(_ high: UInt64, _ low: UInt64) {
    separate()
    write(atMost: 38) { start in
      var end = start
      end.put(UInt8(ascii: "\""))
      end = UUIDText.put(high, low, to: end)
      end.put(UInt8(ascii: "\""))
      return end
    }
    needsComma = true
  }

  package typealias UUIDBytes = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
  )

  package mutating func uuid(_ bytes: UUIDBytes) {
    let (high, low) = withUnsafeBytes(of: bytes) {
      (
        UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
    uuid(high, low)
  }

  /// Writes a value that is already JSON.
  package mutating func raw(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw($0) }
  }

  /// Writes a value that is already JSON.
  package mutating func raw(_ bytes: UnsafeRawBufferPointer) {
    separate()
    write(atMost: bytes.count) { start in
      var end = start
      end.put(bytes.bindMemory(to: UInt8.self))
      return end
    }
    needsComma = true
  }

  /// Writes a value. Numbers keep their text.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let number):
      var text = number.text
      text.withUTF8 { raw(UnsafeRawBufferPointer($0)) }
    case .string(let text): string(text)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let object):
      beginObject()
      for (key, member) in object.members {
        self.key(key)
        self.value(member)
      }
      endObject()
    }
  }

  // MARK: Bytes

  private mutating func open(_ bracket: UInt8) {
    separate()
    put(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    put(bracket)
    needsComma = true
  }

  @inline(__always)
  private mutating func separate() {
    if needsComma { put(UInt8(ascii: ",")) }
  }

  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    if storage.count == count { grow(by: 1) }
    storage[count] = byte
    count += 1
  }

  private mutating func literal(_ word: StaticString) {
    word.withUTF8Buffer { raw(UnsafeRawBufferPointer($0)) }
  }

  /// Reserves `room` bytes and advances to the end that `body` returns. `body` gets a pointer to the first free byte.
  @inline(__always)
  private mutating func write(
    atMost room: Int, _ body: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
  ) {
    if storage.count - count < room { grow(by: room) }
    guard let base = storage.baseAddress else { return }
    count = body(base + count) - base
  }

  @inline(never)
  private mutating func grow(by room: Int) {
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(
      capacity: storage.count + max(room, storage.count))
    _ = larger.moveInitialize(fromContentsOf: storage[..<count])
    storage.deallocate()
    storage = larger
  }
}
