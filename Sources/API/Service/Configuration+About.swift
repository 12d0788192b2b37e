import Inventory
import JSON

extension Configuration.About {
  /// An error in an about file, as a sentence.
  package struct Fault: Error {
    package let sentence: String
  }

  /// The largest file in bytes.
  package static let largestFile = 64 * 1024

  /// Applies a file: a JSON object with `name`, `company`, `copyright`, `legal`, `licence`, `contact`, `support` and
  /// `credits`, each a string or null. Omitted members keep their values.
  package mutating func read(_ file: [UInt8]) throws(Fault) {
    let value: JSONValue
    do throws(JSONSyntaxError) { value = try JSONReader.parse(file) } catch {
      throw Fault(sentence: "\(error.reason.sentence) In line \(error.line).")
    }
    guard case .object(let object) = value else {
      throw Fault(sentence: "It is not a JSON object.")
    }
    for (key, value) in object.members {
      guard let field = Self.fields[key] else {
        let known = Self.fields.keys.sorted().joined(separator: ", ")
        throw Fault(sentence: "It has an unknown member, \(key). Known members: \(known).")
      }
      switch value {
      case .string(let text): self[keyPath: field] = text
      case .null: self[keyPath: field] = nil
      default: throw Fault(sentence: "Its \(key) must be a string or null.")
      }
    }
    if let name {
      let trimmed = TextRules.trimmed(name)
      if let fault = TextRules.fault(in: trimmed, length: 1...Limits.shortText) {
        throw Fault(sentence: "Its name: \(fault)")
      }
      self.name = trimmed
    }
  }

  private static var fields: [String: WritableKeyPath<Self, String?>] {
    [
      "name": \.name, "company": \.company, "copyright": \.copyright, "legal": \.legal,
      "licence": \.licence, "contact": \.contact, "support": \.support, "credits": \.credits,
    ]
  }
}
