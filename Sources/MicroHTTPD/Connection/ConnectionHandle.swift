private import CMicroHTTPD
internal import UsherHTTP

/// libmicrohttpd's own connection, by the few verbs that are used of it.
///
/// `suspend` and `resume` are made for any thread, and all else is called on the connection's own.
@safe
struct ConnectionHandle: @unchecked Sendable {  // because the pointer is not read here
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    var socket: Int32 { unsafe usher_connection_socket(pointer) }

    func suspend() { unsafe MHD_suspend_connection(pointer) }

    func resume() { unsafe MHD_resume_connection(pointer) }

    /// The header section, and whether a field had to be left out of it because it is not legal.
    ///
    /// - Parameter memory: An empty array whose memory is used again.
    func fields(into memory: consuming [UInt8]) -> (fields: HeaderFields, hasIllegal: Bool) {
        var isWhole = true
        let size = unsafe usher_fields_size(pointer)
        // Nothing at the end of an empty array would be written into what all empty arrays share.
        guard size > 0 else { return (HeaderFields(), false) }
        memory.append(addingCapacity: size) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                unsafe count = usher_copy_fields(pointer, buffer.baseAddress, size, &isWhole)
            }
        }
        var hasIllegal = !isWhole
        let fields = HeaderFields(wire: memory, hasIllegal: &hasIllegal)
        return (fields, hasIllegal)
    }

    /// Sends a response; it is libmicrohttpd's from then on, but for its body, which must stay until the request is over.
    ///
    /// - Parameter streamed: its body if that comes piece by piece.
    /// - Returns: false if the connection must be closed instead.
    func queue(_ response: Response, _ streamed: StreamedBody?, closing: Bool) -> Bool {
        unsafe response.sending(streamed, closing: closing) { code, made in
            unsafe MHD_queue_response(pointer, code, made) == .YES
        }
    }
}

extension ConnectionHandle: BodyReader {}
