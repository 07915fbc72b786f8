import Programs
import UsherPostgres

extension SealingKeys {
    /// Keys of 32 equal bytes each; the first seals.
    static func repeating(_ bytes: UInt8...) throws -> SealingKeys {
        let folder = try TemporaryFolder()
        return try SealingKeys(file: folder.write(bytes.map(line).joined(separator: "\n"), to: "keys"))
    }

    /// A key of 32 equal bytes, as a line of the file.
    static func line(_ byte: UInt8) -> String {
        String(repeating: byte < 16 ? "0\(String(byte, radix: 16))" : String(byte, radix: 16), count: 32)
    }
}
