import HTTP
import Testing

@Suite struct FaultTests {
  @Test(arguments: RequestFault.allCases)
  func `every fault has a code for programs and a sentence for people`(fault: RequestFault) {
    #expect((400...599).contains(fault.status))
    #expect(fault.code.utf8.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) })
    #expect(fault.detail.hasSuffix("."))
  }
}
