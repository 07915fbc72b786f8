import Foundation

/// The connection through which a client follows changes made elsewhere.
public enum Connection: Sendable, Equatable {
    case live
    /// The client is connecting or reconnecting.
    case reconnecting
    /// The server does not respond.
    case unreachable
    /// The session is hidden, so there is no connection.
    case hidden
    /// The session has ended.
    case ended
}

/// Follows a session by its stream, or by long polls if a proxy lets no stream through.
struct Watcher: Sendable {
    enum Event: Sendable {
        /// A connection begins, whose first state may be older than a state that was received earlier.
        case connecting
        case state(Snapshot)
        case connection(Connection)
        case gone(Problem)
    }

    /// The error of a stream that is unavailable although the server responds.
    private struct NoStream: Error {}

    /// The time limit for the first state.
    ///
    /// The first state comes with the stream's head, and a comment every 15 s. If neither arrives in time, a proxy is
    /// holding the stream back.
    private static let firstPatience = Duration.seconds(5)
    private static let silence = Duration.seconds(45)
    private static let pollWait = 25
    private static let pollingFor = Duration.seconds(300)
    private static let suspiciouslyShort = Duration.milliseconds(500)

    private let path: String
    private let exchange: Exchange
    private let backoff: Backoff
    private let tell: @Sendable (Event) -> Void
    private var platform: Platform { exchange.platform }
    /// The time since a stream was unavailable; nil if streams work.
    private var polling: Stopwatch?
    private var leastPause = Duration.zero
    private var tag = ""

    /// - Parameter path: The session's path.
    init(path: String, exchange: Exchange, backoff: Backoff, tell: @escaping @Sendable (Event) -> Void) {
        self.path = path
        self.exchange = exchange
        self.backoff = backoff
        self.tell = tell
    }

    /// Follows the session until the task is cancelled or the session is gone.
    mutating func run() async {
        while !Task.isCancelled {
            do {
                tell(.connecting)
                if let polling, polling.elapsed < Self.pollingFor {
                    try await poll(polling)
                } else {
                    try await stream()
                }
            } catch is NoStream {
                polling = Stopwatch(platform.clock)
            } catch {
                if Task.isCancelled { return }
                let problem = Problem(error)
                // Any other response may be a proxy's and says nothing about the session.
                if problem.isFinal { return tell(.gone(problem)) }
                tell(.connection(problem.isUnreachable ? .unreachable : .reconnecting))
                await backoff.wait(atLeast: max(problem.retryAfter, leastPause))
                leastPause = .zero
            }
        }
    }

    /// Follows the stream until it breaks, and throws the reason.
    private mutating func stream() async throws {
        let response = try await openStream()
        let sinceHead = Stopwatch(platform.clock)
        var reader = EventReader()
        var hasSpoken = false
        defer { leastPause = reader.retry }
        while true {
            let patience = hasSpoken ? Self.silence : max(Self.firstPatience - sinceHead.elapsed, .zero)
            let piece = try await nextPiece(of: response, within: patience, hasSpoken: hasSpoken)
            for event in reader.read(piece) {
                hasSpoken = hasSpoken || event.type == "state"
                try await take(event)
            }
        }
    }

    private func openStream() async throws -> TransportResponse {
        let request = Exchange.Request(path: "\(path)/stream", headers: ["Accept": "text/event-stream"])
        let exchange = exchange
        let response = try await platform.within(Self.firstPatience * 2) { try await exchange.begin(request) }
        guard response.header("content-type")?.hasPrefix("text/event-stream") == true else { throw NoStream() }
        return response
    }

    private func nextPiece(
        of response: TransportResponse, within patience: Duration, hasSpoken: Bool
    ) async throws -> Data {
        do {
            let piece = try await platform.within(patience) {
                var iterator = response.body.makeAsyncIterator()
                return try await iterator.next()
            }
            guard let piece else { throw Problem.streamBroke("the stream ended") }
            return piece
        } catch is DeadlineExceeded where !hasSpoken {
            throw NoStream()
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem.streamBroke("the stream broke: \(error)")
        }
    }

    private mutating func take(_ event: ServerSentEvent) async throws {
        if event.type == "state" {
            do {
                let state = try JSONDecoder().decode(SessionState.self, from: Data(event.data.utf8))
                backoff.reset()
                show(Snapshot(state, tag: event.id.isEmpty ? nil : "\"\(event.id)\""))
            } catch {
                throw Problem.streamBroke("the stream cannot be read: \(error)")
            }
        }
        // Read from the session how it ended or why it is held. If the session continues after all, the stream is
        // opened again.
        if event.type == "end" || event.type == "held" { show(try await exchange.askForState(looking)) }
    }

    /// Polls until it is time to try a stream again.
    private mutating func poll(_ polling: Stopwatch) async throws {
        show(try await exchange.askForState(looking))
        while !Task.isCancelled, polling.elapsed < Self.pollingFor {
            let wait = Stopwatch(platform.clock)
            var request = looking
            request.headers = ["If-None-Match": tag, "Prefer": "wait=\(Self.pollWait)"]
            let snapshot = try await exchange.askForNews(request)
            let isNews = snapshot.map { $0.tag != tag } ?? false
            if let snapshot { show(snapshot) }
            if isNews || wait.elapsed >= Self.suspiciouslyShort {
                backoff.reset()
            } else {
                // A proxy may have removed the wait or the known state from the request.
                await backoff.wait()
            }
        }
    }

    private var looking: Exchange.Request {
        Exchange.Request(path: path, patience: .seconds(Self.pollWait + 10))
    }

    private mutating func show(_ snapshot: Snapshot) {
        if Task.isCancelled { return }
        tag = snapshot.tag
        tell(.connection(.live))
        tell(.state(snapshot))
    }
}
