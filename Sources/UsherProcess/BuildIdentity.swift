import Glibc

/// The identity of this build: a digest of the executable's contents, the same in every process of it.
///
/// The system's own libraries are no part of it.
package enum BuildIdentity {
    /// The digest, read once and only when it is asked for.
    ///
    /// It is a random number if the executable cannot be read: then nothing holds for another process.
    package static let current: UInt64 = digest(of: "/proc/self/exe") ?? UInt64.random(in: 1...UInt64.max)

    /// The digest as people and journals have it, in hexadecimal digits.
    package static var text: String { String(current, radix: 16) }

    /// The digest of a file's contents; nil where it cannot be read.
    static func digest(of path: String) -> UInt64? {
        guard let file = try? Descriptor(reading: path) else { return nil }
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        var part = [UInt64](repeating: 0, count: 1 << 13)
        while true {
            // Whole parts, so that the digest does not depend on how much a read gives.
            let count = unsafe part.withUnsafeMutableBytes { unsafe fill($0, from: file.number) }
            guard let count else { return nil }
            guard count > 0 else { return digest }
            fold(part[..<((count + 7) / 8)], of: count, into: &digest)
        }
    }

    /// Fills a buffer unless the file ends; the rest of its last word is zeros.
    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int? {
        guard let count = unsafe Descriptor.fill(buffer, from: descriptor) else { return nil }
        for index in count..<min((count + 7) / 8 * 8, buffer.count) { unsafe buffer[index] = 0 }
        return count
    }

    /// Takes words in, and not bytes, for a start after a crash waits for it: FNV-1a, with their high bits folded down.
    private static func fold(_ words: ArraySlice<UInt64>, of bytes: Int, into digest: inout UInt64) {
        for word in words {
            digest = (digest ^ word) &* 0x0000_0100_0000_01B3
            digest ^= digest >> 29
        }
        digest = (digest ^ UInt64(bytes)) &* 0x0000_0100_0000_01B3
    }
}
