import API
import Glibc

/// The file with a server's about texts, such as its contact.
enum AboutFile {
  /// The default texts, with those of the file at a path.
  static func read(_ path: String?) throws(Failure) -> API.Configuration.About {
    var about = API.Configuration.About(licence: "MIT")
    guard let path else { return about }
    let bytes = try bytes(of: path)
    do throws(API.Configuration.About.Fault) { try about.read(bytes) } catch {
      throw Failure(.badData, "\(path): \(error.sentence)")
    }
    return about
  }

  private static func bytes(of path: String) throws(Failure) -> [UInt8] {
    guard let file = fopen(path, "r") else {
      throw Failure(.noInput, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    let limit = API.Configuration.About.largestFile
    let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) { buffer, count in
      count = fread(buffer.baseAddress, 1, buffer.count, file)
    }
    guard ferror(file) == 0 else { throw Failure(.noInput, "\(path) cannot be read.") }
    guard bytes.count <= limit else {
      throw Failure(.badData, "\(path) has more than \(limit) bytes.")
    }
    return bytes
  }
}
