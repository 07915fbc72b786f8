import Synchronization

/// Exponential backoff with jitter, so that the clients of a restarted server do not all reconnect at once.
final class Backoff: Sendable {
    private static let shortest = Duration.milliseconds(400)
    private static let longest = Duration.seconds(15)
    /// The limit of a pause that a server requests, in case the request is a mistake.
    private static let longestAsked = Duration.seconds(3_600)

    private struct Contents {
        var pause = Backoff.shortest
        var sleep: Task<Void, Never>?
    }

    private let platform: Platform
    /// A lock, because one task waits, and another ends the pause.
    private let contents = Mutex(Contents())

    init(_ platform: Platform) {
        self.platform = platform
    }

    func reset() {
        contents.withLock { $0.pause = Self.shortest }
    }

    /// Ends a pause early, for example when the network is back.
    func wake() {
        contents.withLock { $0.sleep }?.cancel()
    }

    /// Waits between half a pause and a whole one, and doubles the next pause.
    ///
    /// A cancelled task stops waiting.
    ///
    /// - Parameter least: The time that the server requested, up to an hour; jitter is added to this time.
    func wait(atLeast least: Duration = .zero) async {
        let random = platform.random()
        let asked = min(least, Self.longestAsked)
        let sleep = contents.withLock { contents in
            let jittered = contents.pause * (0.5 + random / 2)
            contents.pause = min(contents.pause * 2, Self.longest)
            let sleep = Task { [clock = platform.clock] in
                _ = try? await clock.sleep(for: asked > .zero ? asked + jittered / 2 : jittered)
            }
            contents.sleep = sleep
            return sleep
        }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
        contents.withLock { $0.sleep = nil }
    }
}
