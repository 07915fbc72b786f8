import Programs
import UsherPostgres

extension SealingKeys {
    /// Returns keys of 32 equal bytes each; the first key seals.
    static func repeating(_ bytes: UInt8...) throws -> SealingKeys {
        let folder = try TemporaryFolder()
        return try SealingKeys(file: folder.write(bytes.map(line).joined(separator: "\n"), to: "keys"))
    }

    /// Returns a key of 32 equal bytes as a line of the key file.
    static func line(_ byte: UInt8) -> String {
        String(repeating: byte < 16 ? "0\(String(byte, radix: 16))" : String(byte, radix: 16), count: 32)
    }
}
