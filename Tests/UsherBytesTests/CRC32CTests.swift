import Testing

@testable import UsherBytes

@Suite("CRC-32C")
struct CRC32CTests {
    /// The examples of RFC 3720, appendix B.4, and the check value of the catalogue of CRCs.
    private static let published: [(bytes: [UInt8], checksum: UInt32)] = [
        (Array(repeating: 0, count: 32), 0x8A91_36AA), (Array(repeating: 0xFF, count: 32), 0x62A8_AB43),
        (Array(0..<32), 0x46DD_794E), (Array((0..<32).reversed()), 0x113F_DB5C), (Array("123456789".utf8), 0xE306_9283),
        ([], 0),
    ]

    @Test(arguments: published)
    func `the CPU instruction and the tables compute the published checksums`(bytes: [UInt8], expected: UInt32) {
        var (sum, byTable) = (CRC32C(), CRC32C())
        sum.add(bytes.span)
        byTable.addByTable(bytes.span)
        #expect(sum.value == expected)
        #expect(byTable.value == expected)
    }

    @Test(arguments: 0..<67)
    func `the CPU instruction, the tables and computing in pieces give the same checksum for each length`(
        count: Int
    ) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }
        var (sum, byTable, inPieces) = (CRC32C(), CRC32C(), CRC32C())
        sum.add(bytes.span)
        byTable.addByTable(bytes.span)
        #expect(sum.value == byTable.value)
        guard count >= 8 else { return }
        inPieces.add(bytes.span.eightBytes(at: 0))
        inPieces.add(bytes.span.extracting(8...))
        #expect(inPieces.value == sum.value)
    }
}
