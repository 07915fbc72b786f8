import Glibc

/// The identity of this build: a digest of the executable's contents, the same in every process of it.
///
/// The system's own libraries are no part of it.
package enum BuildIdentity {
    /// The digest, read once and only when it is asked for.
    ///
    /// It is a random number if the executable cannot be read: then nothing holds for another process.
    package static let current: UInt64 = digest(of: "/proc/self/exe") ?? UInt64.random(in: 1...UInt64.max)

    /// The digest of a file's contents; nil where it cannot be read.
    static func digest(of path: String) -> UInt64? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe part.withUnsafeMutableBytes { unsafe fill($0, from: descriptor) }
            guard count >= 0 else { return nil }
            guard count > 0 else { return digest }
            fold(part.span.extracting(..<count), into: &digest)
        }
    }

    /// Fills a buffer unless the file ends, so that parts do not depend on how much a read gives.
    ///
    /// - Returns: The bytes that were read; below 0 where that failed.
    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return -1 }
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    /// Takes bytes in, eight at a time: FNV-1a on words, with their high bits folded down.
    private static func fold(_ bytes: Span<UInt8>, into digest: inout UInt64) {
        var position = 0
        while position < bytes.count {
            var word: UInt64 = 0
            for index in position..<min(position + 8, bytes.count) { word = word << 8 | UInt64(bytes[index]) }
            digest = (digest ^ word) &* 0x0000_0100_0000_01B3
            digest ^= digest >> 29
            position += 8
        }
        digest = (digest ^ UInt64(bytes.count)) &* 0x0000_0100_0000_01B3
    }
}
