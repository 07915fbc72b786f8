internal import UsherHTTP

/// A client's connection: its requests, one after the other.
///
/// Used on the connection's own thread only; what others need of it is its `deadline`. Each request goes through
/// `begin`, `receive` as often as libmicrohttpd has something of it, and `complete`.
final class Connection {
    /// What libmicrohttpd is to do next.
    enum Step {
        case goOn
        case close
    }

    private enum Stage {
        case idle
        case head(Result<Target, Problem>)
        case body(Request)
        case handling(Exchange)
        case answered
    }

    let deadline: ConnectionDeadline
    private let handle: ConnectionHandle
    private let service: Service
    private var stage = Stage.idle
    private var body: BodyCollector
    private var isHeadOnly = false

    init(_ handle: ConnectionHandle, _ service: Service) {
        self.handle = handle
        self.service = service
        deadline = ConnectionDeadline(socket: handle.socket)
        deadline.set(in: service.times.head)
        body = BodyCollector(limit: 0, framing: .none)
    }

    /// A request line has come.
    func begin(_ target: Result<Target, Problem>) {
        complete()
        stage = .head(target)
        service.requests.begin()
        deadline.isIdle = false
        deadline.shorten(to: service.times.head)
    }

    /// The head has come, a part of the body, the end of the body, or the response of a handler that had to wait.
    func receive(method: String, version: String, part: Span<UInt8>) -> Step {
        switch stage {
        case .head(let target): return check(RequestHead(method, target, version, handle.fields()))
        case .body where !part.isEmpty: return body.append(part) ? .goOn : .close
        case .body(let request): return handle(request)
        case .handling(let exchange): return exchange.response().map { send($0) } ?? .goOn
        case .idle, .answered: return .close
        }
    }

    /// The request is over, however it ended.
    func complete() {
        switch stage {
        case .idle: return
        case .handling(let exchange): exchange.abandon()
        case .head, .body, .answered: break
        }
        stage = .idle
        body = BodyCollector(limit: 0, framing: .none)
        deadline.isIdle = true
        deadline.set(in: service.times.idle)
        service.requests.end()
    }

    private func check(_ head: RequestHead) -> Step {
        do throws(Problem) {
            let checked = try head.checked(bodyLimit: service.bodyLimit)
            body = BodyCollector(limit: service.bodyLimit, framing: checked.framing)
            if checked.framing != .none { deadline.set(in: service.times.body) }
            isHeadOnly = checked.request.method == .head
            stage = .body(checked.request)
            return .goOn
        } catch {
            return refuse(error, closing: true)
        }
    }

    private func handle(_ head: Request) -> Step {
        var request = head
        do throws(Problem) {
            request.body = try body.finish()
        } catch {
            return refuse(error)
        }
        deadline.clear()
        switch service.reply(request) {
        case .now(let response): return send(response)
        case .later(let work):
            let exchange = Exchange(handle, service.suspended)
            stage = .handling(exchange)
            return exchange.run(work).map { send($0) } ?? .goOn
        }
    }

    private func refuse(_ problem: Problem, closing: Bool = false) -> Step {
        service.refused(problem.response)
        return send(problem.response, closing: closing)
    }

    private func send(_ response: Response, closing: Bool = false) -> Step {
        stage = .answered
        deadline.set(in: service.times.response)
        guard let stream = response.stream else { return queue(response, nil, closing) }
        guard let streamed = StreamedBody(stream, handle, deadline, service, isHeadOnly: isHeadOnly) else {
            return queue(Self.usedStream.response, nil, closing)
        }
        return queue(response, streamed, closing)
    }

    private func queue(_ response: Response, _ streamed: StreamedBody?, _ closing: Bool) -> Step {
        handle.queue(response, streamed, closing: closing || service.isStopping) ? .goOn : .close
    }

    private static let usedStream = Problem(
        .internalServerError, "The body of this response was sent to another request already; send the request again.")
}

extension RequestHead {
    fileprivate init(
        _ method: String, _ target: Result<Target, Problem>, _ version: String,
        _ read: (fields: HeaderFields, hasIllegal: Bool)
    ) {
        self.init(
            method: method, target: target, version: version, headers: read.fields, hasIllegalField: read.hasIllegal)
    }
}
