import Inventory
import Support
import Testing

@Suite("What turns a HEIC")
struct HEICTests {
  typealias Step = SampleImage.HEICStep

  private func read(_ bytes: [UInt8]) -> ImageMetadata? {
    var reader = ImageReader()
    reader.take(bytes.span)
    return reader.facts
  }

  private func image(_ width: Int?, _ height: Int?, _ orientation: Int?) -> ImageMetadata {
    ImageMetadata(type: .heic, width: width, height: height, orientation: orientation)
  }

  @Test(
    "is reported in the values of Exif",
    arguments: [
      ([], 1), ([.turn(0)], 1), ([.turn(1)], 8), ([.turn(2)], 3), ([.turn(3)], 6),
      ([.mirror(0)], 4), ([.mirror(1)], 2),
      ([.turn(0), .mirror(0)], 4), ([.turn(1), .mirror(0)], 5), ([.turn(2), .mirror(0)], 2),
      ([.turn(3), .mirror(0)], 7),
      ([.turn(0), .mirror(1)], 2), ([.turn(1), .mirror(1)], 7), ([.turn(2), .mirror(1)], 4),
      ([.turn(3), .mirror(1)], 5),
      ([.mirror(0), .turn(0)], 4), ([.mirror(0), .turn(1)], 7), ([.mirror(0), .turn(2)], 2),
      ([.mirror(0), .turn(3)], 5),
      ([.mirror(1), .turn(0)], 2), ([.mirror(1), .turn(1)], 5), ([.mirror(1), .turn(2)], 4),
      ([.mirror(1), .turn(3)], 7),
      // The other bits are reserved.
      ([.turn(0xFD), .mirror(0xFE)], 5),
      ([.mirror(1), .mirror(1)], 1), ([.turn(3), .turn(2)], 8),
    ] as [([Step], Int)])
  func orientations(steps: [Step], orientation: Int) {
    #expect(read(SampleImage.heic(640, 480, steps)) == image(640, 480, orientation))
  }

  @Test(
    "and its sides are those before the turn, without what is cut off",
    arguments: [
      ([.crop(600, by: 400)], 600, 400, 1), ([.crop(600, by: 400), .turn(1)], 600, 400, 8),
      ([.turn(1), .crop(400, by: 600)], 600, 400, 8),
      ([.turn(3), .mirror(0), .crop(400, by: 600)], 600, 400, 7),
      ([.turn(2), .crop(600, by: 400)], 600, 400, 3),
      ([.crop(1200, 2, by: 1200, 3)], 600, 400, 1), ([.crop(640, by: 480)], 640, 480, 1),
      ([.crop(600, by: 400), .crop(500, by: 300)], 500, 300, 1),
      // What is cut out is no rectangle of whole pixels in the image.
      ([.crop(1201, 2, by: 400)], 640, 480, 1), ([.crop(600, 0, by: 400)], 640, 480, 1),
      ([.crop(641, by: 400)], 640, 480, 1), ([.crop(600, by: 481)], 640, 480, 1),
      ([.crop(0, by: 400), .turn(1)], 640, 480, 8),
      ([.crop(0xFFFF_FFFF, by: 0xFFFF_FFFF)], 640, 480, 1),
    ] as [([Step], Int, Int, Int)])
  func sides(steps: [Step], width: Int, height: Int, orientation: Int) {
    #expect(read(SampleImage.heic(640, 480, steps)) == image(width, height, orientation))
  }

  @Test(
    "is found however the file says it",
    arguments: [
      SampleImage.HEICForm { $0.brand = "heix" }, .init { $0.isDataFirst = true },
      .init { $0.isWide = true }, .init { $0.isNamedLast = true },
      .init { $0.areSidesLast = true },
      .init {
        ($0.isDataFirst, $0.isWide, $0.isNamedLast, $0.areSidesLast) = (true, true, true, true)
      },
    ])
  func forms(form: SampleImage.HEICForm) {
    let steps: [Step] = [.crop(600, by: 400), .turn(1), .mirror(0)]
    #expect(read(SampleImage.heic(640, 480, steps, form)) == image(600, 400, 5))
  }

  @Test(
    "boxes that are too short, or unknown, count for nothing",
    arguments: [
      ("irot", []), ("imir", []), ("clap", []), ("clap", [UInt8](repeating: 1, count: 15)),
      ("ispe", []), ("pasp", [0, 0, 0, 1, 0, 0, 0, 1]), ("    ", [1]),
    ] as [(String, [UInt8])])
  func shortBoxes(name: String, contents: [UInt8]) {
    let bytes = SampleImage.heic(640, 480, [.other(name, contents), .turn(1)])
    #expect(read(bytes) == image(640, 480, 8))
  }

  @Test func `as many boxes as there is room for are read, and what is larger is not`() {
    let steps = { (count: Int) in [Step](repeating: .other("free", []), count: count) + [.turn(1)] }
    #expect(read(SampleImage.heic(640, 480, steps(100))) == image(640, 480, 8))
    let large = [Step.other("colr", [UInt8](repeating: 0, count: 70_000)), .turn(1)]
    #expect(read(SampleImage.heic(640, 480, large)) == image(nil, nil, nil))
  }
}
