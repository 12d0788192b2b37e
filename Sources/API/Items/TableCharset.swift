import Glibc

/// Encodings of tables that `Content-Type` can name, in lower case
/// (https://www.iana.org/assignments/character-sets/character-sets.xhtml).
enum TableCharset {
  static let names: [String] =
    ["utf-8", "utf-16", "utf-16le", "utf-16be", "windows-1252", "iso-8859-1", "us-ascii"]
    + codePages.keys.sorted()

  /// The name in iconv(3) of each encoding that iconv decodes.
  private static let codePages: [String: String] = {
    var pages = [
      "windows-874": "CP874", "tis-620": "TIS-620", "koi8-r": "KOI8-R", "koi8-u": "KOI8-U",
      "macintosh": "MACINTOSH", "ibm437": "IBM437", "ibm850": "IBM850", "ibm852": "IBM852",
      "ibm866": "IBM866", "euc-jp": "EUC-JP", "gbk": "GBK", "gb18030": "GB18030", "big5": "BIG5",
      // Windows uses these names for encodings with more characters.
      "shift_jis": "CP932", "windows-31j": "CP932", "euc-kr": "CP949", "gb2312": "GBK",
    ]
    for number in [2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16] {
      pages["iso-8859-\(number)"] = "ISO-8859-\(number)"
    }
    for number in [1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258] {
      pages["windows-\(number)"] = "CP\(number)"
    }
    return pages
  }()

  /// Why a text could not be decoded.
  enum Failure: Error, Equatable {
    /// The bytes from this offset on are invalid in the encoding.
    case malformed(offset: Int)
    /// The system does not have the encoding's table.
    case unavailable
  }

  /// The text in UTF-8. Nil for an encoding that is not a code page.
  static func utf8(_ bytes: [UInt8], in name: String) throws(Failure) -> [UInt8]? {
    guard let page = codePages[name] else { return nil }
    // https://man7.org/linux/man-pages/man3/iconv_open.3.html
    guard let converter = iconv_open("UTF-8", page), converter != iconv_t(bitPattern: -1) else {
      throw .unavailable
    }
    defer { iconv_close(converter) }
    var bytes = bytes
    // A character of a code page takes at most three bytes of UTF-8 for each of its bytes.
    var output = [CChar](repeating: 0, count: bytes.count * 3 + 16)
    let (read, written, result) = bytes.withUnsafeMutableBytes { input in
      output.withUnsafeMutableBufferPointer { output -> (Int, Int, Int) in
        var from = input.baseAddress?.assumingMemoryBound(to: CChar.self)
        var to = output.baseAddress
        var (left, room) = (input.count, output.count)
        var result = iconv(converter, &from, &left, &to, &room)
        // Some decoders keep the last letter back, because a mark that belongs to it may follow.
        if result != -1 { result = iconv(converter, nil, nil, &to, &room) }
        return (input.count - left, output.count - room, result)
      }
    }
    guard result != -1 else { throw .malformed(offset: read) }
    return output[..<written].map(UInt8.init(bitPattern:))
  }
}
