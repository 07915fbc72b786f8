internal import CMicroHTTPD
internal import Glibc
internal import UsherHTTP

// What libmicrohttpd calls, on its own threads: top-level functions, isolated to nothing.

/// A connection was opened or is about to be closed.
func connectionChanged(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, change: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe context, let connection = unsafe connection, let slot = unsafe slot else { return }
    let service = unsafe Unmanaged<Service>.fromOpaque(context).takeUnretainedValue()
    if change == .CONNECTION_NOTIFY_STARTED {
        let opened = unsafe Connection(ConnectionHandle(connection), service)
        service.connections.insert(opened.deadline)
        unsafe slot.pointee = Unmanaged.passRetained(opened).toOpaque()
    } else if let stored = unsafe slot.pointee {
        let closed = unsafe Unmanaged<Connection>.fromOpaque(stored).takeRetainedValue()
        unsafe slot.pointee = nil
        service.connections.remove(closed.deadline)
        closed.complete()
    }
}

/// A request line has come; this is the only sight of the target as it was sent.
///
/// What is returned is handed to all that comes of the request.
func targetArrived(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let target = unsafe target, let connection = unsafe connection else { return nil }
    guard let stored = unsafe usher_connection_context(connection) else { return nil }
    let text = unsafe UnsafeRawBufferPointer(start: target, count: strlen(target)).bindMemory(to: UInt8.self)
    unsafe Unmanaged<Connection>.fromOpaque(stored).takeUnretainedValue().begin(text.span)
    unsafe cutQuery(of: target)
    return unsafe stored
}

// libmicrohttpd would store each parameter of the query; a hundred of them fill the connection's memory, and it then
// says nothing more. The text lies in that memory, where it is going to be written to anyway.
private func cutQuery(of target: UnsafePointer<CChar>) {
    guard let mark = unsafe strchr(target, Int32(UInt8(ascii: "?"))), unsafe mark[0] != 0 else { return }
    unsafe mark[1] = 0
}

/// The head of a request has come, a part of its body, its end, or the connection was resumed.
func requestProgressed(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, path: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, part: UnsafePointer<CChar>?,
    size: UnsafeMutablePointer<Int>?, slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let open = unsafe openConnection(slot), let size = unsafe size else { return .NO }
    let step: Connection.Step
    if open.awaitsHead {
        guard let method = unsafe method, let version = unsafe version else { return .NO }
        step = unsafe open.believe(method: String(cString: method), version: String(cString: version))
    } else if let part = unsafe part, unsafe size.pointee > 0 {
        let bytes = unsafe UnsafeRawBufferPointer(start: part, count: size.pointee)
        step = unsafe open.receive(bytes.bindMemory(to: UInt8.self).span)
    } else {
        step = open.goOn()
    }
    unsafe size.pointee = 0
    return step == .goOn ? .YES : .NO
}

/// A request is over: answered, or its connection is gone.
func requestCompleted(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
    unsafe openConnection(slot)?.complete()
}

/// Decodes nothing: the path is decoded from the target as it was sent.
func leaveEscaped(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, text: UnsafeMutablePointer<CChar>?
) -> Int {
    guard let text = unsafe text else { return 0 }
    return unsafe strlen(text)
}

private func openConnection(_ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Connection? {
    guard let stored = unsafe slot?.pointee else { return nil }
    return unsafe Unmanaged<Connection>.fromOpaque(stored).takeUnretainedValue()
}
