import Glibc

/// libFuzzer's own loop (https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library), for the package manager has
/// another entry for a program than the one that comes with it.
package enum FuzzDriver {
  /// Calls `target` with what libFuzzer makes up, as the command line's options say, and ends the process.
  package static func run(_ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32) -> Never {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(runDriver(&count, &arguments, target))
  }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// What libFuzzer's own entry would call, which is linked all the same and never runs.
@_cdecl("LLVMFuzzerTestOneInput")
package func unusedTarget(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 { 0 }
