import Synchronization

/// Exponential back-off with jitter, so that the clients of a server that restarts do not come back all at once.
final class Backoff: Sendable {
    private static let shortest = Duration.milliseconds(400)
    private static let longest = Duration.seconds(15)
    /// A server may ask for any pause, and who made a mistake is not to be waited for until tomorrow.
    private static let longestAsked = Duration.seconds(3_600)

    private struct Contents {
        var pause = Backoff.shortest
        var sleep: Task<Void, Never>?
    }

    private let platform: Platform
    /// Locked, since a pause is ended by others than those who wait.
    private let contents = Mutex(Contents())

    init(_ platform: Platform) {
        self.platform = platform
    }

    func reset() {
        contents.withLock { $0.pause = Self.shortest }
    }

    /// Ends a pause early: the network is back.
    func wake() {
        contents.withLock { $0.sleep }?.cancel()
    }

    /// Waits for between half a pause and a whole one; the next is twice as long.
    ///
    /// A cancelled task waits no longer.
    ///
    /// - Parameter least: A time that the server asked for, which jitter only adds to; an hour at most counts.
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
