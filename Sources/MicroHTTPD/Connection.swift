internal import UsherFuture
internal import UsherHTTP
internal import UsherProcess

/// A client's connection: its requests, one after the other.
///
/// Used on the connection's own thread only; others need its `deadline` alone. It has one owner, who keeps it where
/// libmicrohttpd can name it: nobody counts references to it, and nobody else can be using it. Each request goes through
/// `receiveRequestLine`, `receiveHead`, `receiveBody` and `respond` as often as libmicrohttpd has something of it, and
/// `complete`.
struct Connection: ~Copyable {
    /// The next step of libmicrohttpd.
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
    /// The room that its peer had for it.
    private let room: PeerConnections.Room
    private let context: DaemonContext
    private let thread: HandlerThread
    private var phase = Phase.idle
    /// The target of the request line, until the rest of the head is there.
    private var target: Result<RequestTarget, Problem>?
    /// The addresses at which the target lies.
    private var targetPlace: Range<UInt> = 0..<0
    /// The request, from its head on, with the body once that is there; empty between two requests.
    private var request = Request()
    private var body = BodyCollector()
    /// Set while the response is waited for.
    private var exchange: Exchange?
    /// The body that libmicrohttpd reads while it sends the response.
    private var sent: [UInt8] = []
    private var isHeadOnly = false
    /// Set once a request was refused that its client may still be sending.
    private var isCutShort = false
    /// The part that its body and its answer have of the memory for all.
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

    /// The connection is about to be closed.
    mutating func close() {
        complete()
        context.peers.leave(peer)
        context.connectionClosed(deadline, isCutShort: isCutShort)
    }

    /// A request line has come, with its target at an address.
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

    /// Set while the rest of a request's head is outstanding.
    var awaitsHead: Bool { phase == .head }

    /// The head has come.
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

    /// A part of the body has come.
    mutating func receiveBody(_ part: Span<UInt8>) -> Step {
        guard phase == .body else { return .close }
        let count = body.count + part.count
        if !body.fits(count) || (try? context.exchanged.reserve(count, for: &share)) == nil {
            body.drop()
            context.exchanged.release(&share)
        }
        return body.append(part) ? .goOn : .close
    }

    /// Answers a request without its body, for which nobody waits here.
    private mutating func answerHead() -> Step {
        guard case .ready(let response) = context.reply(request) else { return .close }
        request = Request()
        isCutShort = true
        return send(response, closing: true)
    }

    /// The end of the body has come, or the connection was resumed with the response of an exchange.
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
        // Other work may wait for long, and needs no memory for the next request meanwhile.
        if case .after = reply { buffers.recycle(&request) }
        return wait(for: reply, to: method)
    }

    /// The request is over, however it ended.
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

    /// The fields of a head that was refused, read again, for the check has taken them; none where the head has a flaw:
    /// they may be no fields, or leave the answer's no room.
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
        .internalServerError, "The body of this response was sent to another request already; send the request again.")
}

extension RequestHead.Framing {
    /// The bytes that the body may come to.
    fileprivate func bytes(upTo limit: Int) -> Int {
        switch self {
        case .none: 0
        case .length(let length): min(length, limit)
        case .chunked: limit
        }
    }
}

/// The body of a request as it comes in, bounded.
///
/// A response cannot be sent in the middle of an upload: a body without a length is read to twice the limit, so that
/// a client that went a little too far is told so, and beyond that the connection is closed.
struct BodyCollector {
    private let limit: Int
    private var bytes: [UInt8]
    /// The bytes that have come.
    private(set) var count = 0
    /// False once it was too large, or there was no memory for it: the rest is read and dropped.
    private var hasRoom = true

    /// A collector that takes nothing.
    init() {
        limit = 0
        bytes = []
    }

    /// A collector for a request.
    ///
    /// - Parameter buffer: An empty array whose memory is used again.
    init(limit: Int, framing: RequestHead.Framing, into buffer: consuming [UInt8] = []) {
        self.limit = limit
        if case .length(let length) = framing { buffer.reserveCapacity(min(length, limit)) }
        bytes = buffer
    }

    /// Takes a part.
    ///
    /// - Returns: false if the connection must be closed.
    mutating func append(_ part: Span<UInt8>) -> Bool {
        count += part.count
        guard fits(count) else {
            bytes = []
            return count <= 2 * limit
        }
        unsafe part.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        return true
    }

    /// True where a body that has come to so many bytes is still kept.
    func fits(_ count: Int) -> Bool { hasRoom && count <= limit }

    /// Takes nothing any more.
    mutating func drop() {
        hasRoom = false
        bytes = []
    }

    /// The whole body, or the refusal of one too large, or without room; nothing is left here.
    mutating func finish() throws(Problem) -> [UInt8] {
        guard count <= limit else { throw RequestHead.tooLarge(limit) }
        guard hasRoom else { throw ExchangedBytes.full }
        var whole: [UInt8] = []
        swap(&whole, &bytes)
        return whole
    }
}
