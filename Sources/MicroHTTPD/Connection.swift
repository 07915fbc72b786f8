internal import UsherFuture
internal import UsherHTTP
internal import UsherProcess

/// A client's connection, which handles one request after the other.
///
/// Only the connection's own thread uses the connection; other threads use only its `deadline`. The connection is
/// noncopyable and stays at the address that libmicrohttpd holds, so there is no reference counting and no shared
/// access.
///
/// For each request, libmicrohttpd's callbacks call `receiveRequestLine`, `receiveHead`, `receiveBody` and `respond` as
/// data arrives, and finally `complete`.
struct Connection: ~Copyable {
    /// What libmicrohttpd does next.
    enum Step {
        case goOn
        case close
    }

    private enum Phase {
        case idle
        case head
        case body
        case handling
        case answered
    }

    let deadline: ConnectionDeadline
    private let handle: ConnectionHandle
    private let peer: NetworkAddress?
    /// Whether the peer was below its limit of connections when this connection was opened.
    private let room: PeerConnections.Room
    private let context: DaemonContext
    private let thread: HandlerThread
    private var phase = Phase.idle
    /// The target of the request line, until the head is complete.
    private var target: Result<RequestTarget, Problem>?
    /// The range of memory addresses in which the target is stored.
    private var targetPlace: Range<UInt> = 0..<0
    /// The request once its head is complete; empty between two requests.
    private var request = Request()
    private var body = BodyCollector()
    private var exchange: Exchange?
    /// The response's body, which libmicrohttpd reads while it sends the response.
    private var sent: [UInt8] = []
    private var isHeadOnly = false
    /// Whether the client may still be sending a request that the daemon has already refused.
    private var isCutShort = false
    /// The bytes of the request's and the response's body that count towards the daemon's limit.
    private var share = ExchangeShare()
    private var buffers = RequestBuffers()

    init(_ handle: ConnectionHandle, _ context: DaemonContext) {
        self.handle = handle
        self.context = context
        thread = context.threads.current
        peer = handle.peer
        room = context.peers.enter(peer)
        deadline = ConnectionDeadline(socket: handle.socket)
        deadline.set(in: room == .none ? 0 : context.times.head)
    }

    /// Called before libmicrohttpd closes the connection.
    mutating func close() {
        complete()
        context.peers.leave(peer)
        context.connectionClosed(deadline, isCutShort: isCutShort)
    }

    mutating func receiveRequestLine(target raw: Span<UInt8>, at address: UInt) {
        complete()
        phase = .head
        targetPlace = address..<address + UInt(raw.count)
        do throws(Problem) {
            target = .success(try RequestTarget(parsing: raw, limit: context.targetLimit, into: buffers.takePath()))
        } catch {
            target = .failure(error)
        }
        context.requestBegan()
        deadline.stage = .head
        deadline.shorten(to: context.times.head)
    }

    var awaitsHead: Bool { phase == .head }

    mutating func receiveHead(_ line: RequestLine) -> Step {
        guard let target = target.take() else { return .close }
        let read = handle.fields(
            after: line, target: targetPlace, memorySize: context.connectionMemory, into: buffers.takeFields())
        let bodyLimit = context.bodyLimit(at: target)
        let head = RequestHead(
            method: line.method, target: target, version: line.version, headers: read.fields, flaw: read.flaw)
        do throws(Problem) {
            let framing = try head.check(bodyLimit: bodyLimit, into: &request)
            if room != .free { throw context.peers.refusal }
            request.peer = peer
            try context.exchanged.check(framing.bytes(upTo: bodyLimit))
            body = BodyCollector(limit: bodyLimit, framing: framing, into: buffers.takeBody())
            if framing.hasBody { deadline.set(in: context.times.body) }
            isHeadOnly = request.method == .head
            phase = .body
            deadline.stage = .request
            return framing.hasBody && context.answersHeads ? answerHead() : .goOn
        } catch {
            return refuse(error, of: soundFields(after: line), closing: true)
        }
    }

    mutating func receiveBody(_ part: Span<UInt8>) -> Step {
        guard phase == .body else { return .close }
        let count = body.count + part.count
        if !body.fits(count) || (try? context.exchanged.reserve(count, for: &share)) == nil {
            body.drop()
            context.exchanged.release(&share)
        }
        return body.append(part) ? .goOn : .close
    }

    /// Answers a request before its body arrives, on a daemon that does not wait for bodies.
    private mutating func answerHead() -> Step {
        guard case .ready(let response) = context.reply(request) else { return .close }
        request = Request()
        isCutShort = true
        return send(response, closing: true)
    }

    /// Called when the body is complete, and again when an exchange has its response and resumes the connection.
    mutating func respond() -> Step {
        guard phase == .body else { return sendResponse() }
        do throws(Problem) {
            request.body = try body.finish()
        } catch {
            let fields = request.headers
            request = Request()
            return refuse(error, of: fields)
        }
        deadline.clear()
        thread.turn()
        let reply = context.reply(request)
        thread.turn()
        if case .ready(let response) = reply {
            buffers.recycle(&request)
            return send(response)
        }
        let method = request.method
        // Keeps the request's buffers for the next request only if the wait is for a commit; other waits may be long.
        if case .after = reply { buffers.recycle(&request) }
        return wait(for: reply, to: method)
    }

    /// Called when the request is over, with or without a response.
    mutating func complete() {
        guard phase != .idle else { return }
        if phase == .handling { exchange?.abandon() }
        switch phase {
        case .head: target = nil
        case .body:
            request = Request()
            body = BodyCollector()
        default: exchange = nil
        }
        phase = .idle
        sent = []
        context.exchanged.release(&share)
        deadline.rest(for: context.times.idle)
        context.requestEnded()
    }

    private mutating func sendResponse() -> Step {
        guard let exchange else { return .close }
        return exchange.takeResponse().map { send($0) } ?? .goOn
    }

    private mutating func wait(for future: Future<Response>, to method: Method) -> Step {
        request = Request()
        let exchange = Exchange(method, handle, deadline, context.suspended)
        self.exchange = exchange
        phase = .handling
        return exchange.wait(for: future).map { send($0) } ?? .goOn
    }

    /// Returns the fields of a refused head, read again because the check consumed the fields.
    ///
    /// If the head has a flaw, returns no fields: its text may not be a list of fields, or may leave no memory for the
    /// response's fields.
    private func soundFields(after line: RequestLine) -> HeaderFields {
        let read = handle.fields(after: line, target: targetPlace, memorySize: context.connectionMemory, into: [])
        return read.flaw == nil ? read.fields : HeaderFields()
    }

    private mutating func refuse(_ problem: Problem, of fields: HeaderFields, closing: Bool = false) -> Step {
        let response = context.refused(problem.response, fields)
        isCutShort = closing
        deadline.stage = .request
        return send(response, closing: closing)
    }

    private mutating func send(_ response: Response, closing: Bool = false) -> Step {
        phase = .answered
        exchange = nil
        deadline.set(in: context.times.response)
        context.exchanged.release(&share)
        context.exchanged.count(response.body.count, in: &share)
        guard let stream = response.stream else { return queue(response, nil, closing) }
        guard let streamed = StreamedBody(stream, handle, deadline, context, isHeadOnly: isHeadOnly) else {
            return queue(Self.usedStream.response, nil, closing)
        }
        return queue(response, streamed, closing)
    }

    private mutating func queue(_ response: Response, _ streamed: StreamedBody?, _ closing: Bool) -> Step {
        sent = response.body
        return handle.queue(response, streamed, closing: closing || context.closesBehindAnswers) ? .goOn : .close
    }

    private static let usedStream = Problem(
        .internalServerError, "This response's body was already sent for another request; send the request again.")
}

extension RequestHead.Framing {
    /// Returns the largest number of bytes that the body may have.
    fileprivate func bytes(upTo limit: Int) -> Int {
        switch self {
        case .none: 0
        case .length(let length): min(length, limit)
        case .chunked: limit
        }
    }
}

/// Collects the body of a request up to a limit.
///
/// libmicrohttpd cannot send a response during an upload. A body without a length is therefore read up to twice the
/// limit, so that a client slightly above the limit gets a 413. Beyond that, the connection is closed.
struct BodyCollector {
    private let limit: Int
    private var bytes: [UInt8]
    private(set) var count = 0
    /// `false` once `drop` was called: the rest of the body is read and discarded.
    private var hasRoom = true

    init() {
        limit = 0
        bytes = []
    }

    /// Creates a collector for the body of a request, which reuses the memory of the empty array `buffer`.
    init(limit: Int, framing: RequestHead.Framing, into buffer: consuming [UInt8] = []) {
        self.limit = limit
        if case .length(let length) = framing { buffer.reserveCapacity(min(length, limit)) }
        bytes = buffer
    }

    /// Appends a part of the body, or discards the part if the body is too large.
    ///
    /// - Returns: `false` if the connection must be closed.
    mutating func append(_ part: Span<UInt8>) -> Bool {
        count += part.count
        guard fits(count) else {
            bytes = []
            return count <= 2 * limit
        }
        unsafe part.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        return true
    }

    func fits(_ count: Int) -> Bool { hasRoom && count <= limit }

    mutating func drop() {
        hasRoom = false
        bytes = []
    }

    /// Returns the whole body and leaves the collector empty.
    ///
    /// - Throws: A 413 if the body is too large, a 503 if there was no memory for it.
    mutating func finish() throws(Problem) -> [UInt8] {
        guard count <= limit else { throw RequestHead.tooLarge(limit) }
        guard hasRoom else { throw ExchangedBytes.full }
        var whole: [UInt8] = []
        swap(&whole, &bytes)
        return whole
    }
}
