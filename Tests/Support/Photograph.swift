import Foundation
import Inventory

/// A photo as a camera or a phone writes it, from a file that `Images/make-images.py` has made.
package struct Photograph: Sendable, CustomStringConvertible {
  package let name: String
  package let bytes: [UInt8]
  package let facts: ImageMetadata

  package var description: String { name }

  private init(_ name: String, _ type: ImageType, _ width: Int, _ height: Int, _ orientation: Int) {
    self.name = name
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Images")
    // A file that is not there is no image, which every test on it tells.
    bytes = (try? Data(contentsOf: folder.appending(path: name))).map { Array($0) } ?? []
    facts = ImageMetadata(type: type, width: width, height: height, orientation: orientation)
  }

  package static let all =
    (1...8).flatMap { orientation in
      [
        Photograph("camera-\(orientation).jpg", .jpeg, 48, 32, orientation),
        // Coded in 64 × 64 pixels, from which they are cut.
        Photograph("phone-\(orientation).heic", .heic, 48, 32, orientation),
      ]
    } + [Photograph("grid.heic", .heic, 128, 64, 6)]
}
