extension Problem {
  private enum CodingKeys: String, CodingKey {
    case type, title, status, detail, instance, code, errors, lines, delta, current, index, count
    case limit, revision
    case trashID = "trashId"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    type = try container.decode(String.self, forKey: .type)
    title = try container.decode(String.self, forKey: .title)
    status = try container.decode(Int.self, forKey: .status)
    detail = try container.decodeIfPresent(String.self, forKey: .detail)
    instance = try container.decodeIfPresent(String.self, forKey: .instance)
    code = try container.decode(Code.self, forKey: .code)
    errors = try container.decodeIfPresent([FieldError].self, forKey: .errors)
    lines = try container.decodeIfPresent([LineError].self, forKey: .lines)
    delta = try container.decodeIfPresent(Delta.self, forKey: .delta)
    current = try container.decodeIfPresent(Item.self, forKey: .current)
    index = try container.decodeIfPresent(Int.self, forKey: .index)
    count = try container.decodeIfPresent(Int.self, forKey: .count)
    limit = try container.decodeIfPresent(Int.self, forKey: .limit)
    revision = try container.decodeIfPresent(Int.self, forKey: .revision)
    trashID = try container.decodeIfPresent(Row.ID.self, forKey: .trashID)
    members = try [String: JSONValue](from: decoder).filter {
      CodingKeys(stringValue: $0.key) == nil
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try members.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(type, forKey: .type)
    try container.encode(title, forKey: .title)
    try container.encode(status, forKey: .status)
    try container.encodeIfPresent(detail, forKey: .detail)
    try container.encodeIfPresent(instance, forKey: .instance)
    try container.encode(code, forKey: .code)
    try container.encodeIfPresent(errors, forKey: .errors)
    try container.encodeIfPresent(lines, forKey: .lines)
    try container.encodeIfPresent(delta, forKey: .delta)
    try container.encodeIfPresent(current, forKey: .current)
    try container.encodeIfPresent(index, forKey: .index)
    try container.encodeIfPresent(count, forKey: .count)
    try container.encodeIfPresent(limit, forKey: .limit)
    try container.encodeIfPresent(revision, forKey: .revision)
    try container.encodeIfPresent(trashID, forKey: .trashID)
  }
}
