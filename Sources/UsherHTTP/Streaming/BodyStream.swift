internal import Synchronization

/// A response's body that comes piece by piece, from any thread, for as long as its sender likes.
///
/// What the client has not taken yet waits here, up to a capacity: a slow client costs no more memory than that. All
/// callbacks are called outside of locks, on the thread of whoever caused them, often the connection's own; they may use
/// the stream, and must not block.
package final class BodyStream: Sendable {
    struct Contents {
        var state: BodyStreamState
        /// Set exactly while the reader is suspended.
        var parked: (any BodyReader)?
    }

    let contents: Mutex<Contents>

    /// A stream without a reader yet.
    ///
    /// - Parameter capacity: the bytes that may wait for a slow reader.
    package init(capacity: Int = 64 * 1024) {
        contents = Mutex(Contents(state: BodyStreamState(capacity: capacity)))
    }

    /// A stream that nobody holds any more has no reader either.
    deinit {
        close()
    }

    /// Sends bytes, all of them or none.
    ///
    /// One piece larger than the capacity is taken if nothing else waits: it could never be sent otherwise.
    ///
    /// - Returns: false if there is no room, the reader is gone, or the stream was finished.
    package func send(_ bytes: [UInt8]) -> Bool {
        contents.withLock { contents in
            switch contents.state.send(bytes) {
            case .refused: return false
            case .kept: return true
            case .wake:
                contents.wake()
                return true
            }
        }
    }

    /// Ends the body behind what waits; nothing more is taken.
    package func finish() {
        contents.withLock { contents in
            if contents.state.finish() { contents.wake() }
        }
    }

    /// Whether nothing waits: the reader has taken all.
    package var isEmpty: Bool { contents.withLock { $0.state.isEmpty } }

    /// Whether the reader is gone, or the stream was finished.
    package var isOver: Bool { contents.withLock { $0.state.isOver } }

    /// Calls a body once, as soon as nothing waits; at once if nothing does.
    ///
    /// It is dropped if the stream is over, or the reader leaves before it has taken all.
    package func onDrain(_ body: @escaping @Sendable () -> Void) {
        if case .runNow = contents.withLock({ $0.state.onDrain(body) }) { body() }
    }

    /// Calls a body exactly once, when the reader is gone or the end was sent; at once if that was before.
    package func onEnd(_ body: @escaping @Sendable () -> Void) {
        if case .runNow = contents.withLock({ $0.state.onEnd(body) }) { body() }
    }
}

extension BodyStream.Contents {
    mutating func wake() {
        parked?.resume()
        parked = nil
    }
}
