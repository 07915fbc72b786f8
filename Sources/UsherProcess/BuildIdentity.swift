import Glibc

/// The identity of this build: a digest of the executable, without the system's libraries, the same in every process.
package enum BuildIdentity {
    /// The digest, computed on first use, or a random number if the executable cannot be read, so that no other process
    /// has the same identity.
    package static let current: UInt64 = digest(of: "/proc/self/exe") ?? UInt64.random(in: 1...UInt64.max)

    /// The digest in hexadecimal digits, for people and journals.
    package static var text: String { String(current, radix: 16) }

    /// Returns the digest of a file's contents; nil if the file cannot be read.
    static func digest(of path: String) -> UInt64? {
        guard let file = try? Descriptor(reading: path) else { return nil }
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        var part = [UInt64](repeating: 0, count: 1 << 13)
        while true {
            // Fills each part completely, so that the digest does not depend on how much one read returns.
            let count = unsafe part.withUnsafeMutableBytes { unsafe fill($0, from: file.number) }
            guard let count else { return nil }
            guard count > 0 else { return digest }
            unsafe part.withUnsafeBufferPointer { unsafe fold($0, of: count, into: &digest) }
        }
    }

    /// Fills a buffer unless the file ends first, and pads the last word with zeros.
    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int? {
        guard let count = unsafe Descriptor.fill(buffer, from: descriptor) else { return nil }
        for index in count..<min((count + 7) / 8 * 8, buffer.count) { unsafe buffer[index] = 0 }
        return count
    }

    /// Adds words to the digest: FNV-1a with the high bits folded down.
    ///
    /// The function hashes whole words, which is faster than hashing bytes, and a start after a crash waits for the
    /// digest. The pointer makes the loop fast in debug builds, too.
    private static func fold(_ words: UnsafeBufferPointer<UInt64>, of bytes: Int, into digest: inout UInt64) {
        guard var word = words.baseAddress else { return }
        let end = unsafe word + (bytes + 7) / 8
        while unsafe word < end {
            digest = unsafe (digest ^ word.pointee) &* 0x0000_0100_0000_01B3
            digest ^= digest &>> 29
            unsafe word += 1
        }
        digest = (digest ^ UInt64(bytes)) &* 0x0000_0100_0000_01B3
    }
}
