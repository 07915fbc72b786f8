internal import UsherHTTP

// What libmicrohttpd calls for a streamed body: top-level functions, isolated to nothing.

/// The connection has sent all that it had, and comes for more.
func bodyWanted(
    context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, size: Int
) -> Int {
    guard let context = unsafe context else { return endOfBody }
    let body = unsafe Unmanaged<StreamedBody>.fromOpaque(context).takeUnretainedValue()
    guard let bytes = body.read(upTo: size) else { return endOfBody }
    unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size).copyBytes(from: bytes)
    return bytes.count
}

/// The response is over, however it ended.
func bodyReleased(context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StreamedBody>.fromOpaque(context).release()
}

// MHD_CONTENT_READER_END_OF_STREAM, a macro with a cast.
private let endOfBody = -1
