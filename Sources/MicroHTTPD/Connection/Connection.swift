internal import UsherFuture
internal import UsherHTTP

/// A client's connection: its requests, one after the other.
///
/// Used on the connection's own thread only; what others need of it is its `deadline`. It has one owner, who keeps it where
/// libmicrohttpd can name it: nobody counts references to it, and nobody else can be using it. Each request goes through
/// `begin`, `believe`, `receive` and `goOn` as often as libmicrohttpd has something of it, and `complete`.
struct Connection: ~Copyable {
    /// What libmicrohttpd is to do next.
    enum Step {
        case goOn
        case close
    }

    private enum Stage {
        case idle
        case head
        case body
        case handling
        case answered
    }

    let deadline: ConnectionDeadline
    private let handle: ConnectionHandle
    private let service: Service
    private var stage = Stage.idle
    /// What the request line says, until the rest of the head is there.
    private var target: Result<Target, Problem>?
    /// What the head says, and the body once it is there; empty between two requests.
    private var request = Request()
    private var body = BodyCollector()
    /// What is waited for.
    private var exchange: Exchange?
    /// The body that libmicrohttpd reads while it sends the response.
    private var sent: [UInt8] = []
    private var isHeadOnly = false
    private var memory = RequestMemory()

    init(_ handle: ConnectionHandle, _ service: Service) {
        self.handle = handle
        self.service = service
        deadline = ConnectionDeadline(socket: handle.socket)
        deadline.set(in: service.times.head)
    }

    /// A request line has come.
    mutating func begin(_ raw: Span<UInt8>) {
        complete()
        stage = .head
        do throws(Problem) {
            target = .success(try Target(parsing: raw, limit: service.targetLimit, into: memory.takePath()))
        } catch {
            target = .failure(error)
        }
        service.requests.begin()
        deadline.isIdle = false
        deadline.shorten(to: service.times.head)
    }

    /// Whether the head of a request is what comes next.
    var awaitsHead: Bool { stage == .head }

    /// The head has come.
    mutating func believe(method: String, version: String) -> Step {
        guard let target = target.take() else { return .close }
        let read = handle.fields(into: memory.takeFields())
        let head = RequestHead(
            method: method, target: target, version: version, headers: read.fields, hasIllegalField: read.hasIllegal)
        do throws(Problem) {
            let framing = try head.check(bodyLimit: service.bodyLimit, into: &request)
            body = BodyCollector(limit: service.bodyLimit, framing: framing, into: memory.takeBody())
            if framing != .none { deadline.set(in: service.times.body) }
            isHeadOnly = request.method == .head
            stage = .body
            return .goOn
        } catch {
            return refuse(error, closing: true)
        }
    }

    /// A part of the body has come.
    mutating func receive(_ part: Span<UInt8>) -> Step {
        stage == .body && body.append(part) ? .goOn : .close
    }

    /// The end of the body has come, or the response of a handler that had to wait.
    mutating func goOn() -> Step {
        if stage == .body { return answer() }
        guard let exchange else { return .close }
        return exchange.response().map { send($0) } ?? .goOn
    }

    /// The request is over, however it ended.
    mutating func complete() {
        guard stage != .idle else { return }
        if stage == .handling { exchange?.abandon() }
        if stage == .body { request = Request() }
        stage = .idle
        target = nil
        exchange = nil
        body = BodyCollector()
        sent = []
        deadline.isIdle = true
        deadline.set(in: service.times.idle)
        service.requests.end()
    }

    private mutating func answer() -> Step {
        do throws(Problem) {
            request.body = try body.finish()
        } catch {
            request = Request()
            return refuse(error)
        }
        deadline.clear()
        switch service.reply(request) {
        case .ready(let response):
            memory.keep(&request)
            return send(response)
        case .async(let work): return wait { $0.run(work) }
        case .callback(let begin): return wait { $0.expect(begin) }
        }
    }

    /// - Parameter begin: Begins what the response comes of; returns it if it is there already.
    private mutating func wait(for begin: (Exchange) -> Response?) -> Step {
        request = Request()
        let exchange = Exchange(handle, service.suspended)
        self.exchange = exchange
        stage = .handling
        return begin(exchange).map { send($0) } ?? .goOn
    }

    private mutating func refuse(_ problem: Problem, closing: Bool = false) -> Step {
        service.refused(problem.response)
        return send(problem.response, closing: closing)
    }

    private mutating func send(_ response: Response, closing: Bool = false) -> Step {
        stage = .answered
        exchange = nil
        deadline.set(in: service.times.response)
        guard let stream = response.stream else { return queue(response, nil, closing) }
        guard let streamed = StreamedBody(stream, handle, deadline, service, isHeadOnly: isHeadOnly) else {
            return queue(Self.usedStream.response, nil, closing)
        }
        return queue(response, streamed, closing)
    }

    private mutating func queue(_ response: Response, _ streamed: StreamedBody?, _ closing: Bool) -> Step {
        sent = response.body
        return handle.queue(response, streamed, closing: closing || service.isStopping) ? .goOn : .close
    }

    private static let usedStream = Problem(
        .internalServerError, "The body of this response was sent to another request already; send the request again.")
}
