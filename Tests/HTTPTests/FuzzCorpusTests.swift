import Foundation
import FuzzProperties
import Testing

/// What the fuzzers start from, and what they have found, holds in every run.
@Suite struct FuzzCorpusTests {
  /// The contents of a folder of the corpus, by name.
  static func corpus(_ folder: String) throws -> [(name: String, bytes: [UInt8])] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fuzz/Corpus/\(folder)")
    return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted().map { name in
      (name, Array(try Data(contentsOf: url.appending(path: name))))
    }
  }

  @Test(arguments: [
    ("requests", Property.requests), ("chunks", Property.chunks), ("json", Property.json),
  ])
  func `the properties hold for the corpus, and for it cut short and doubled`(
    folder: String, property: @Sendable ([UInt8]) -> Void
  ) throws {
    let corpus = try Self.corpus(folder)
    #expect(corpus.count >= 10)
    for (_, bytes) in corpus {
      property(bytes)
      property(bytes + bytes)
      for end in bytes.indices { property(Array(bytes[..<end])) }
    }
  }
}
