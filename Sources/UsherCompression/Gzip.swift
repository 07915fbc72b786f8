import CZlib

/// The content coding gzip (RFC 1952), and the only use of zlib.
package enum Gzip {
    /// Compresses at most 2 GB of bytes at the highest level; equal inputs have equal results.
    ///
    /// - Returns: nil if there is no memory.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard let size = UInt32(exactly: bytes.count) else { return nil }
        var stream = unsafe z_stream()
        guard unsafe usher_begin_gzip(&stream) == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
        guard let room = UInt32(exactly: bound) else { return nil }
        // The copy is needed because zlib takes a mutable pointer.
        var bytes = bytes
        return unsafe bytes.withUnsafeMutableBufferPointer { input -> [UInt8]? in
            var isDone = false
            let compressed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = size
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = room
                isDone = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = unsafe isDone ? Int(stream.total_out) : 0
            }
            return isDone ? compressed : nil
        }
    }
}
