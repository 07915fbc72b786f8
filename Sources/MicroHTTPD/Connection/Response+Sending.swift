internal import CMicroHTTPD
internal import UsherHTTP

extension Response {
    /// Makes libmicrohttpd's form of this response for as long as it is queued.
    ///
    /// The body is not copied: whoever queues the response holds on to it, unchanged, until that was sent.
    ///
    /// - Parameter streamed: its body if that comes piece by piece.
    func sending(_ streamed: StreamedBody?, closing: Bool, _ queue: (UInt32, OpaquePointer) -> Bool) -> Bool {
        guard let made = unsafe makeResponse(streamed) else { return false }
        defer { unsafe MHD_destroy_response(made) }
        unsafe addFields(to: made)
        if closing { unsafe MHD_add_response_header(made, "Connection", "close") }
        // An interim status is no answer: what asked for it has failed.
        return unsafe queue(status.code < 200 ? 500 : UInt32(status.code), made)
    }

    private func makeResponse(_ streamed: StreamedBody?) -> OpaquePointer? {
        if let streamed, status != .noContent, status != .notModified { return unsafe makeResponse(from: streamed) }
        return unsafe makeResponse(from: status == .noContent ? [] : body)
    }

    // A body of 304 is not sent either, but its length is. What the pointer points to is only read; it stays where it is,
    // because an array moves its bytes when it is changed alone.
    private func makeResponse(from body: [UInt8]) -> OpaquePointer? {
        guard !body.isEmpty else { return unsafe MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT) }
        return unsafe body.withUnsafeBytes { bytes in
            unsafe MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_PERSISTENT)
        }
    }

    private func makeResponse(from streamed: StreamedBody) -> OpaquePointer? {
        let held = unsafe Unmanaged.passRetained(streamed)
        let made = unsafe MHD_create_response_from_callback(
            unknownSize, unchunkedPartSize, bodyWanted, held.toOpaque(), bodyReleased)
        if unsafe made == nil { unsafe held.release() }
        // Behind the head alone, libmicrohttpd would send the last chunk, which is not the next response.
        if let made = unsafe made, streamed.isHeadOnly { unsafe usher_leave_unchunked(made) }
        return unsafe made
    }

    // Each name and value ends with a zero in the buffer, as C wants it.
    private func addFields(to response: OpaquePointer) {
        unsafe headers.bytes.withUnsafeBytes { bytes in
            guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            let areOwn = !headers.contains(.contentLength) && !headers.contains(.transferEncoding)
            for entry in headers.entries where areOwn || !isWrittenByDaemon(entry) {
                unsafe MHD_add_response_header(response, start + entry.name.lowerBound, start + entry.value.lowerBound)
            }
        }
    }

    private func isWrittenByDaemon(_ entry: HeaderFields.Entry) -> Bool {
        headers.matches(entry, .contentLength) || headers.matches(entry, .transferEncoding)
    }
}

// MHD_SIZE_UNKNOWN, a macro with a cast.
private let unknownSize = UInt64.max

// Chunks are written where the connection has its memory; without them, as for HTTP/1.0, a response has a part of its own.
private let unchunkedPartSize = 1024
