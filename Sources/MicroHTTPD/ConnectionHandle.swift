private import CMicroHTTPD
private import Glibc
internal import UsherHTTP

/// A libmicrohttpd connection.
///
/// `suspend` and `resume` may be called on any thread, all other functions only on the connection's own thread.
@safe
struct ConnectionHandle: @unchecked Sendable {  // because the pointer is only passed on
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    var socket: Int32 { unsafe usher_connection_socket(pointer) }

    /// The peer's address; nil if the peer has none.
    var peer: NetworkAddress? {
        var bytes = InlineArray<16, UInt8>(repeating: 0)
        var span = bytes.mutableSpan
        let isKnown = unsafe span.withUnsafeMutableBufferPointer { buffer in
            unsafe usher_peer_address(pointer, buffer.baseAddress)
        }
        guard isKnown else { return nil }
        return NetworkAddress(bits: bytes.indices.reduce(0) { bits, index in bits << 8 | UInt128(bytes[index]) })
    }

    func suspend() { unsafe MHD_suspend_connection(pointer) }

    func resume() { unsafe MHD_resume_connection(pointer) }

    /// Reads the header section, and finds a flaw of the head that the values of the fields do not show.
    ///
    /// `target` is a range of memory addresses, `size` is in bytes, and `memory` is an empty array that is reused.
    func fields(
        after line: RequestLine, target: Range<UInt>, memorySize size: Int, into memory: consuming [UInt8]
    ) -> (fields: HeaderFields, flaw: RequestHead.Flaw?) {
        let capacity = unsafe usher_fields_size(pointer)
        // If the capacity were 0, the terminating zero would overwrite storage that all empty arrays share.
        guard capacity > 0 else { return (HeaderFields(), .noRoom) }
        var head = usher_head()
        memory.append(addingCapacity: capacity) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                head = unsafe usher_read_head(pointer, line.place(target: target), size, buffer.baseAddress, capacity)
                count = head.size
            }
        }
        var hasIllegal = !head.is_whole
        let fields = HeaderFields(wire: memory, hasIllegal: &hasIllegal)
        return (fields, Self.flaw(of: head, hasIllegal))
    }

    private static func flaw(of head: usher_head, _ hasIllegal: Bool) -> RequestHead.Flaw? {
        if head.has_hidden_text { return .hiddenText }
        if !head.has_room { return .noRoom }
        if hasIllegal { return .illegalField }
        return head.has_padded_value ? .paddedValue : nil
    }

    /// Queues a response, whose body must stay unchanged until the request is over.
    ///
    /// - Returns: `false` if the connection must be closed.
    func queue(_ response: Response, _ streamed: StreamedBody?, closing: Bool) -> Bool {
        unsafe response.sending(streamed, closing: closing) { code, made in
            unsafe MHD_queue_response(pointer, code, made) == .YES
        }
    }
}

extension ConnectionHandle: BodyReader {}

/// The words of a request line in the connection's memory, valid only during the callback.
@safe
struct RequestLine {
    private let methodPointer: UnsafePointer<CChar>
    private let versionPointer: UnsafePointer<CChar>

    init(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) {
        unsafe methodPointer = method
        unsafe versionPointer = version
    }

    var method: String { unsafe Self.word(methodPointer, "POST", sentAs: "POST") }

    var version: String { unsafe Self.word(versionPointer, "HTTP/1.1", sentAs: "HTTP/1.1") }

    fileprivate func place(target: Range<UInt>) -> usher_line {
        unsafe usher_line(
            method: methodPointer, target: target.lowerBound, target_size: target.count, version: versionPointer)
    }

    // Compares first, because the text is nearly always the expected word, and then no string needs to be created.
    private static func word(
        _ text: UnsafePointer<CChar>, _ expected: String, sentAs bytes: StaticString
    ) -> String {
        unsafe strcmp(text, bytes.utf8Start) == 0 ? expected : String(cString: text)
    }
}

extension Response {
    /// Creates libmicrohttpd's form of this response and passes it to a closure.
    ///
    /// The body is not copied: the caller must keep it unchanged until the response was sent.
    fileprivate func sending(_ streamed: StreamedBody?, closing: Bool, _ queue: (UInt32, OpaquePointer) -> Bool) -> Bool
    {
        guard let made = unsafe makeResponse(streamed) else { return false }
        defer { unsafe MHD_destroy_response(made) }
        unsafe addFields(to: made)
        if closing { unsafe MHD_add_response_header(made, "Connection", "close") }
        // A status below 200 is not a final response, so the code that created it is wrong.
        return unsafe queue(status.code < 200 ? 500 : UInt32(status.code), made)
    }

    private func makeResponse(_ streamed: StreamedBody?) -> OpaquePointer? {
        if let streamed, status != .noContent, status != .notModified { return unsafe makeResponse(from: streamed) }
        return unsafe makeResponse(from: status == .noContent ? [] : body)
    }

    // The body of a 304 is not sent, but its length is. libmicrohttpd only reads through the pointer, and the bytes do
    // not move, because the connection retains the array unchanged.
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
        // Without this call, libmicrohttpd would send the last chunk after the head, and the client would read it as
        // the next response.
        if let made = unsafe made, streamed.isHeadOnly { unsafe usher_leave_unchunked(made) }
        return unsafe made
    }

    // Each name and each value in the buffer ends with a zero, as libmicrohttpd requires.
    private func addFields(to response: OpaquePointer) {
        let fields = otherFields
        unsafe fields.bytes.withUnsafeBytes { bytes in
            guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            let areOwn = !fields.contains(.contentLength) && !fields.contains(.transferEncoding)
            for line in fields.lines where areOwn || !isWrittenByDaemon(line, of: fields) {
                unsafe MHD_add_response_header(response, start + line.name.lowerBound, start + line.value.lowerBound)
            }
        }
        if let entityTag { unsafe usher_add_entity_tag(response, entityTag) }
    }

    private func isWrittenByDaemon(_ line: FieldLine, of fields: HeaderFields) -> Bool {
        fields.matches(line, .contentLength) || fields.matches(line, .transferEncoding)
    }
}

// `MHD_SIZE_UNKNOWN` is a macro with a cast, which Swift does not import.
private let unknownSize = UInt64.max

// The size in bytes of the buffer for a response without chunks, as in HTTP/1.0; chunks use the connection's memory.
private let unchunkedPartSize = 1024
