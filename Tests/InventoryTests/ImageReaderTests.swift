import Inventory
import Support
import Testing

@Suite("What images say of themselves")
struct ImageReaderTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let facts: ImageMetadata

    init(
      _ name: String, _ bytes: [UInt8], _ type: ImageType, _ width: Int? = 640,
      _ height: Int? = 480, orientation: Int? = nil
    ) {
      testDescription = name
      self.bytes = bytes
      facts = ImageMetadata(type: type, width: width, height: height, orientation: orientation)
    }
  }

  static let samples: [Sample] =
    [
      Sample("JPEG", SampleImage.jpeg(), .jpeg),
      Sample("progressive JPEG", SampleImage.jpeg(frame: 0xC2), .jpeg),
      Sample(
        "JPEG with 300 KB of profile", SampleImage.jpeg(orientation: 3, padding: 300_000), .jpeg,
        orientation: 3),
      Sample(
        "little-endian Exif", SampleImage.jpeg(orientation: 6, isLittle: true), .jpeg,
        orientation: 6),
      Sample("no such orientation", SampleImage.jpeg(orientation: 9), .jpeg),
      Sample("no height", SampleImage.jpeg(640, 0), .jpeg, nil, nil),
      Sample("a table and no frame", SampleImage.jpeg(frame: 0xC4), .jpeg, nil, nil),
      Sample(
        "JPEG cut off", Array(SampleImage.jpeg(orientation: 6).prefix(72)), .jpeg, nil, nil,
        orientation: 6),
      Sample("PNG", SampleImage.png(), .png),
      Sample("PNG with Exif", SampleImage.png(orientation: 8), .png, orientation: 8),
      Sample("GIF", SampleImage.gif(), .gif),
      Sample("lossy WebP", SampleImage.webp(), .webp),
      Sample("lossless WebP", SampleImage.webp(640, 480, .lossless), .webp),
      Sample("extended WebP", SampleImage.webp(640, 480, .extended), .webp),
      Sample(
        "WebP with Exif", SampleImage.webp(640, 480, .extended, orientation: 5), .webp,
        orientation: 5),
      Sample("the largest lossless WebP", SampleImage.webp(16_384, 1, .lossless), .webp, 16_384, 1),
      Sample("HEIC", SampleImage.heic(), .heic, orientation: 1),
      Sample(
        "HEIC that is turned, mirrored and cut",
        SampleImage.heic(640, 480, [.crop(600, by: 400), .turn(1), .mirror(0)]), .heic, 600, 400,
        orientation: 5),
    ]
    + (1...8).map { (value: Int) in
      Sample(
        "orientation \(value)", SampleImage.jpeg(orientation: value), .jpeg, orientation: value)
    }
    + Photograph.all.map { (photo: Photograph) in
      Sample(
        photo.name, photo.bytes, photo.facts.type, photo.facts.width, photo.facts.height,
        orientation: photo.facts.orientation)
    }

  @Test(arguments: samples)
  func `a header is read, however the bytes are cut`(sample: Sample) {
    #expect(read(sample.bytes, cutAt: []) == sample.facts)
    #expect(read(sample.bytes, cutAt: Array(sample.bytes.indices)) == sample.facts)
    for cut in sample.bytes.indices.prefix(400) {
      #expect(read(sample.bytes, cutAt: [cut]) == sample.facts)
    }
  }

  @Test(
    "no image of a known type",
    arguments: [
      "", "x", "not an image", "GIF88a, nearly", "RIFF....WAVEfmt ", "\u{89}PNG\r\n\u{1A}\n0000",
      "%PDF-1.7 and more", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
    ])
  func unknown(text: String) {
    var reader = ImageReader()
    let bytes = Array(text.utf8)
    reader.take(bytes.span)
    #expect(reader.facts == nil)
    #expect(reader.isUnknown == (bytes.count >= 12))
  }

  @Test(
    "an image is looked at no more often than so, however its bytes go on",
    arguments: [[0xFF], [0xFF, 0x01], [0xFF, 0xE0, 0x00, 0x02]] as [[UInt8]])
  func endless(pattern: [UInt8]) {
    var reader = ImageReader()
    let bytes = [0xFF, 0xD8, 0xFF] + Array(repeatElement(pattern, count: 100_000).joined())
    reader.take(bytes.span)
    #expect(reader.looks <= ImageReader.mostLooks)
    #expect(reader.facts == ImageMetadata(type: .jpeg))
  }

  @Test func `an AVIF is no HEIC`() {
    var reader = ImageReader()
    let bytes = SampleImage.heic(640, 480, [], .init { $0.brand = "avif" })
    reader.take(bytes.span)
    #expect(reader.isUnknown)
  }

  @Test(arguments: samples, 0..<10 as Range<UInt64>)
  func `bytes that were tampered with are read the same in every cut, and never trap`(
    sample: Sample, seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<40 {
      var bytes = Array(sample.bytes.prefix(4_000))
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 4))
        case 2: bytes.removeSubrange(place...)
        case 3: bytes.insert(contentsOf: bytes.prefix(place).suffix(16), at: place)
        default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      }
      let cuts = bytes.indices.filter { _ in UInt8.random(in: 0..<8, using: &random) == 0 }
      let whole = read(bytes, cutAt: [])
      #expect(whole == read(bytes, cutAt: cuts), "seed \(seed): \(bytes)")
      #expect(whole?.orientation.map((1...8).contains) ?? true)
    }
  }

  private func read(_ bytes: [UInt8], cutAt cuts: [Int]) -> ImageMetadata? {
    var reader = ImageReader()
    var start = 0
    for end in cuts + [bytes.count] {
      reader.take(bytes.span.extracting(start..<end))
      start = end
    }
    return reader.facts
  }
}
