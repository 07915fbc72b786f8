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
            // Whole parts, so that the digest does not depend on how much a read gives.
            let count = unsafe part.withUnsafeMutableBytes { unsafe Descriptor.fill($0, from: descriptor) }
            guard let count else { return nil }
            guard count > 0 else { return digest }
            fold(part.span.extracting(..<count), into: &digest)
        }
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
