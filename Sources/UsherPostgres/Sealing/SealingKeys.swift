import UsherBytes
import UsherProcess

/// The keys that encrypt contents before the contents leave the process: the first key encrypts, and every key
/// decrypts.
package struct SealingKeys: Sendable {
    /// The names of the keys, in the file's order.
    let identifiers: [UInt64]
    private let keys: [UInt64: [UInt8]]

    /// Reads a file of keys; each line is a key of 64 hexadecimal digits, or a comment that starts with `#`.
    ///
    /// - Parameter path: The path of the file, which only the file's owner may have the permission to read.
    /// - Throws: `PostgresJournalError.sealing`.
    package init(file path: String) throws(PostgresJournalError) {
        let file: PrivateFile
        do throws(SystemError) { file = try PrivateFile(path, limit: 65_536) } catch {
            throw .sealing(
                "\(error); name a file with a key from \"openssl rand -hex 32\", or set --journal-key none")
        }
        if let exposure = file.exposure { throw .sealing("\(exposure)") }
        var identifiers: [UInt64] = []
        var keys: [UInt64: [UInt8]] = [:]
        for (number, line) in KeyFile.lines(of: file.contents) {
            guard let key = Self.key(line), let identifier = XAES256GCM.identifier(of: key) else {
                throw .sealing("line \(number) of \(path) is not a key of 64 hexadecimal digits")
            }
            guard keys.updateValue(key, forKey: identifier) == nil else {
                throw .sealing("line \(number) of \(path) repeats a key; remove the line")
            }
            identifiers.append(identifier)
        }
        guard !identifiers.isEmpty else {
            throw .sealing("there is no key in \(path); add a line with the output of \"openssl rand -hex 32\"")
        }
        (self.identifiers, self.keys) = (identifiers, keys)
    }

    func key(named identifier: UInt64) -> [UInt8]? { keys[identifier] }

    /// Returns a key's name as 16 hexadecimal digits.
    static func text(of identifier: UInt64) -> String {
        String(capacity: 16) { $0.append(hexadecimal: identifier) }
    }

    private static func key(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        guard line.count == 2 * XAES256GCM.keySize else { return nil }
        let digits = line.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == line.count else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension SealingKeys: CustomStringConvertible {
    /// The names of the keys, but never the keys themselves.
    package var description: String {
        identifiers.map { Self.text(of: $0) }.joined(separator: ", ")
    }
}
