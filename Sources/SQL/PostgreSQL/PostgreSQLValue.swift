#if PostgreSQL
  import CPostgreSQL

  /// A parameter of a statement, in the binary format of its type.
  enum PostgreSQLValue {
    case null
    case integer(Int64)
    case text([UInt8])
    case bytes([UInt8])

    /// The type's number in the catalogue `pg_type`; 0 lets the server find it from the place of the parameter.
    var type: Oid {
      switch self {
      case .null: 0
      case .integer: PostgreSQLType.int8
      case .text: PostgreSQLType.text
      case .bytes: PostgreSQLType.bytea
      }
    }

    private var data: [UInt8]? {
      switch self {
      case .null: nil
      case .integer(let number): withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
      case .text(let bytes), .bytes(let bytes): bytes
      }
    }

    /// Calls the body with the arrays that libpq takes: pointers to the values, their lengths, and their formats.
    static func withPointers<Result>(
      _ values: [PostgreSQLValue],
      _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
    ) -> Result {
      // All values in one block. Libpq reads a null pointer as NULL, so an empty value still needs an address.
      var block: [UInt8] = []
      var places: [Int?] = []
      var lengths: [Int32] = []
      for value in values {
        let data = value.data
        places.append(data == nil ? nil : block.count)
        lengths.append(Int32(data?.count ?? 0))
        block += data ?? []
      }
      block.append(0)
      return block.withUnsafeBytes { block in
        let start = block.baseAddress?.assumingMemoryBound(to: CChar.self)
        let pointers = places.map { place in place.flatMap { place in start.map { $0 + place } } }
        return body(pointers, lengths, Array(repeating: 1, count: values.count))
      }
    }
  }

  /// Numbers of types: https://www.postgresql.org/docs/15/datatype-oid.html
  enum PostgreSQLType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let float8: Oid = 701
    static let numeric: Oid = 1_700
  }
#endif
