import CZlib

/// The content coding gzip (RFC 1952), by zlib: the one door to it.
package enum Gzip {
    /// Compresses bytes in one go, as small as may be; the same bytes always to the same.
    ///
    /// - Parameter bytes: At most 2 GB of them.
    /// - Returns: nil where there is no memory for it.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard let size = UInt32(exactly: bytes.count) else { return nil }
        var stream = unsafe z_stream()
        guard unsafe usher_begin_gzip(&stream) == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
        guard let room = UInt32(exactly: bound) else { return nil }
        // A copy, for zlib takes what it reads as if it might change it.
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
