internal import Synchronization

/// A response body that comes piece by piece, from any thread, for as long as its sender likes.
///
/// The bytes that the client has not taken yet wait here, up to a capacity, which is the sender's backpressure: a slow
/// client costs no more memory than that. All callbacks are called outside of locks, on the thread of whoever caused
/// them, often the connection's own; they may use the stream, and must not block.
package final class BodyStream: Sendable {
    /// The result of a read.
    package enum ReadResult {
        /// Bytes in the parts in which they lie, and how many still wait.
        case bytes([ArraySlice<UInt8>], waiting: Int)
        /// Nothing yet: the reader was suspended, and is resumed as soon as there is something.
        case parked
        /// Nothing more will come.
        case end
    }

    private struct Contents {
        var state: BodyStreamState
        /// Set exactly while the reader is suspended.
        var parked: (any BodyReader)?

        mutating func wake() {
            parked?.resume()
            parked = nil
        }

        mutating func take(
            upTo limit: Int, by reader: some BodyReader
        ) -> (result: ReadResult, drained: [BodyStreamState.Callback]) {
            let taken = state.take(upTo: limit)
            if case .parked = taken.result {
                reader.suspend()
                parked = reader
            }
            return taken
        }
    }

    private let contents: Mutex<Contents>

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
    /// - Returns: false if there is no room, the reader is gone, or the stream was finished.
    package func send(_ bytes: [UInt8]) -> Bool { send([BodyPiece(bytes)]) }

    /// Sends pieces behind each other, all of them or none; their bytes are not copied.
    ///
    /// Pieces larger than the capacity are taken if nothing else waits: they could never be sent otherwise.
    ///
    /// - Returns: false if there is no room, the reader is gone, or the stream was finished.
    package func send(_ pieces: [BodyPiece]) -> Bool {
        contents.withLock { contents in
            let (isTaken, wakes) = contents.state.send(pieces)
            if wakes { contents.wake() }
            return isTaken
        }
    }

    /// Ends the body behind the bytes that wait; nothing more is taken.
    package func finish() {
        contents.withLock { contents in
            if contents.state.finish() { contents.wake() }
        }
    }

    /// True if nothing waits: the reader has taken all.
    package var isEmpty: Bool { contents.withLock { $0.state.isEmpty } }

    /// True once the reader is gone, or the stream was finished.
    package var isOver: Bool { contents.withLock { $0.state.isOver } }

    /// Calls a body once, as soon as nothing waits; at once if nothing does.
    ///
    /// It is dropped if the stream is over, or the reader leaves before it has taken all.
    package func onDrain(_ body: @escaping @Sendable () -> Void) {
        if contents.withLock({ $0.state.onDrain(body) }) { body() }
    }

    /// Calls a body exactly once, when the reader is gone or the end was sent; at once if that was before.
    package func onEnd(_ body: @escaping @Sendable () -> Void) {
        if contents.withLock({ $0.state.onEnd(body) }) { body() }
    }

    // MARK: The transport's side

    /// Begins to read.
    ///
    /// - Returns: false if somebody did before: a stream is the body of one response.
    package func begin() -> Bool {
        contents.withLock { $0.state.begin() }
    }

    /// Takes bytes, at most so many, or suspends the reader.
    package func take(upTo limit: Int, by reader: some BodyReader) -> ReadResult {
        let (result, drained) = contents.withLock { $0.take(upTo: limit, by: reader) }
        for callback in drained { callback() }
        return result
    }

    /// Ends the stream for good: the reader is gone, or has sent the end; may be called again.
    package func close() {
        let ended = contents.withLock { contents in
            let (wakes, ended) = contents.state.close()
            if wakes { contents.wake() }
            return ended
        }
        for callback in ended { callback() }
    }
}

/// The connection that sends a streamed body, as far as the stream has to do with it.
///
/// Both are called under the stream's lock, so that no `resume` comes before its `suspend`, and whoever finds the stream
/// over finds its reader resumed. They must not call the stream.
package protocol BodyReader: Sendable {
    /// Reads no more until it is resumed.
    func suspend()

    /// Goes on to read; may be called on any thread.
    func resume()
}
