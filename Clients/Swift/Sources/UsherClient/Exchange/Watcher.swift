import Foundation

/// The connection to the server, by which a client hears of what others do.
public enum Connection: Sendable, Equatable {
    case live
    /// A connection is being made, or made again.
    case reconnecting
    /// The server does not answer.
    case unreachable
    /// Nobody looks, so there is none.
    case hidden
    /// The session is over.
    case ended
}

/// A follower of a session: by its stream, or by long polls where something on the way lets no stream through.
struct Watcher: Sendable {
    /// A piece of news.
    enum Event: Sendable {
        /// The next state may be older than one seen before.
        case connecting
        case state(Snapshot)
        case connection(Connection)
        case gone(Problem)
    }

    /// A stream cannot be had, but an answer can.
    private struct NoStream: Error {}

    /// The first state comes with the stream's head, and a comment every 15 s: a stream that says less is kept back by a
    /// proxy.
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
    /// Since a stream could not be had; nil while there is hope for one.
    private var polling: Stopwatch?
    private var leastPause = Duration.zero
    private var tag = ""

    /// - Parameter path: The session's.
    init(path: String, exchange: Exchange, backoff: Backoff, tell: @escaping @Sendable (Event) -> Void) {
        self.path = path
        self.exchange = exchange
        self.backoff = backoff
        self.tell = tell
    }

    /// Follows until the task is cancelled, or the session is gone.
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
                // Any other answer says nothing of the session: it may be a proxy's.
                if problem.isFinal { return tell(.gone(problem)) }
                tell(.connection(problem.isUnreachable ? .unreachable : .reconnecting))
                await backoff.wait(atLeast: max(problem.retryAfter, leastPause))
                leastPause = .zero
            }
        }
    }

    /// Follows the stream until it breaks, which is told by what it throws.
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
        // The session itself says how it ended, or why it is on hold; if it goes on after all, the stream is opened anew.
        if event.type == "end" || event.type == "held" { show(try await exchange.askForState(looking)) }
    }

    /// Long polls, until a stream is worth another try.
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
                // A proxy may not pass on that we would wait, or for which state.
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
