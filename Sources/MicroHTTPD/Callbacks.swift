internal import CMicroHTTPD
internal import Glibc
internal import UsherHTTP

// The callbacks of libmicrohttpd, which calls them on its own threads, so they are nonisolated top-level functions.

/// Called when a connection was opened or is about to be closed.
func connectionChanged(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, change: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe context, let connection = unsafe connection, let slot = unsafe slot else { return }
    let daemon = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
    if change == .CONNECTION_NOTIFY_STARTED {
        let opened = UnsafeMutablePointer<Connection>.allocate(capacity: 1)
        unsafe opened.initialize(to: Connection(ConnectionHandle(connection), daemon))
        daemon.connectionOpened(unsafe opened.pointee.deadline)
        unsafe slot.pointee = UnsafeMutableRawPointer(opened)
    } else if let closed = unsafe openConnection(slot) {
        unsafe slot.pointee = nil
        unsafe closed.pointee.close()
        unsafe closed.deinitialize(count: 1)
        unsafe closed.deallocate()
    }
}

/// Called when a request line has arrived; only this callback gets the undecoded target.
///
/// libmicrohttpd passes the returned pointer to all later callbacks of the request.
func targetArrived(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let target = unsafe target, let connection = unsafe connection else { return nil }
    guard let stored = unsafe usher_connection_context(connection) else { return nil }
    let text = unsafe UnsafeRawBufferPointer(start: target, count: strlen(target)).bindMemory(to: UInt8.self)
    unsafe stored.assumingMemoryBound(to: Connection.self).pointee.receiveRequestLine(
        target: text.span, at: UInt(bitPattern: target))
    unsafe cutQuery(of: target)
    unsafe usher_mark_memory(connection)
    return unsafe stored
}

// Hides the query from libmicrohttpd: a hundred stored parameters would fill the connection's memory, and no callback
// would follow. Writing to the text is safe, because libmicrohttpd writes to it, too.
private func cutQuery(of target: UnsafePointer<CChar>) {
    guard let mark = unsafe strchr(target, Int32(UInt8(ascii: "?"))), unsafe mark[0] != 0 else { return }
    unsafe mark[1] = 0
}

/// Called for the head of a request, for each part of its body, for its end, and after the connection was resumed.
func requestAdvanced(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, path: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, part: UnsafePointer<CChar>?,
    size: UnsafeMutablePointer<Int>?, slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let open = unsafe openConnection(slot), let size = unsafe size else { return .NO }
    let step: Connection.Step
    if unsafe open.pointee.awaitsHead {
        guard let method = unsafe method, let version = unsafe version else { return .NO }
        step = unsafe open.pointee.receiveHead(RequestLine(method: method, version: version))
    } else if let part = unsafe part {
        // An empty part is not the end of the body. If the next request has already arrived, libmicrohttpd sends 100
        // (Continue) and passes an empty part, although there is no body.
        let bytes = unsafe UnsafeRawBufferPointer(start: part, count: size.pointee)
        step = unsafe open.pointee.receiveBody(bytes.bindMemory(to: UInt8.self).span)
    } else {
        step = unsafe open.pointee.respond()
    }
    unsafe size.pointee = 0
    return step == .goOn ? .YES : .NO
}

/// Called when a request was answered or its connection is gone.
func requestCompleted(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
    unsafe openConnection(slot)?.pointee.complete()
}

/// Called to decode the escapes in a text; does nothing, because `RequestTarget` decodes the path.
func leaveEscaped(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, text: UnsafeMutablePointer<CChar>?
) -> Int {
    guard let text = unsafe text else { return 0 }
    return unsafe strlen(text)
}

private func openConnection(
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> UnsafeMutablePointer<Connection>? {
    unsafe slot?.pointee?.assumingMemoryBound(to: Connection.self)
}

/// Called with error messages, the only way in which libmicrohttpd reports errors.
func daemonReported(context: UnsafeMutableRawPointer?, format: UnsafePointer<CChar>?, arguments: CVaListPointer?) {
    guard let context = unsafe context, let format = unsafe format else { return }
    let daemon = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
    if unsafe strncmp(format, "Hit process or system resource limit", 36) == 0 { daemon.descriptorsAreMissing() }
}
