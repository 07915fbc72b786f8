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
        var reading = FieldReading(headSize: unsafe usher_head_size(pointer), into: memory)
        _ = unsafe withUnsafeMutablePointer(to: &reading) { context in
            unsafe MHD_get_connection_values_n(pointer, .HEADER_KIND, readField, context)
        }
        return (reading.fields, reading.hasIllegal)
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

/// The fields read so far.
private struct FieldReading {
    var fields: HeaderFields
    var hasIllegal = false

    init(headSize: Int, into memory: consuming [UInt8]) {
        fields = HeaderFields(reservingFields: 8, bytes: min(headSize, 8192), into: memory)
    }

    mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        if !fields.append(wire: name, value) { hasIllegal = true }
    }
}

private func readField(
    context: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameSize: Int,
    value: UnsafePointer<CChar>?, valueSize: Int
) -> MHD_Result {
    guard let reading = unsafe context?.assumingMemoryBound(to: FieldReading.self) else { return .NO }
    let nameBytes = unsafe UnsafeRawBufferPointer(start: name, count: name == nil ? 0 : nameSize)
    let valueBytes = unsafe UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)
    unsafe reading.pointee.append(
        nameBytes.bindMemory(to: UInt8.self).span, valueBytes.bindMemory(to: UInt8.self).span)
    return .YES
}
