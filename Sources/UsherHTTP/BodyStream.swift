internal import Synchronization

/// A response body that is sent piece by piece, from any thread.
///
/// At most `capacity` bytes wait for the client, which limits a slow client's memory and is the sender's backpressure.
///
/// Callbacks run without the stream's lock, on the thread whose call caused them, often the connection's thread.
/// Callbacks may use the stream and must not block.
package final class BodyStream: Sendable {
    package enum ReadResult {
        /// The bytes, in slices that are not copied, and the number of bytes that still wait.
        case bytes([ArraySlice<UInt8>], waiting: Int)
        /// There are no bytes yet; the reader was suspended, and is resumed when there are bytes or the body ends.
        case parked
        /// The end of the body.
        case end
    }

    private struct Contents {
        var state: BodyStreamState
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

    /// Creates a stream in which `capacity` bytes may wait for a slow reader.
    package init(capacity: Int = 64 * 1024) {
        contents = Mutex(Contents(state: BodyStreamState(capacity: capacity)))
    }

    /// Closes the stream, so that its callbacks are called.
    deinit {
        close()
    }

    /// Sends all of the bytes, or sends none of them and returns `false`.
    package func send(_ bytes: [UInt8]) -> Bool { send([BodyPiece(bytes)]) }

    /// Sends all of the pieces in order, without copying their bytes, or none of them.
    ///
    /// If no bytes wait, pieces larger than the capacity are accepted, because they would otherwise never have room.
    ///
    /// - Returns: `false` if there is no room, the reader is gone, or the stream was finished.
    package func send(_ pieces: [BodyPiece]) -> Bool {
        contents.withLock { contents in
            let (isTaken, wakes) = contents.state.send(pieces)
            if wakes { contents.wake() }
            return isTaken
        }
    }

    /// Ends the body after the bytes that still wait; later calls of `send` return `false`.
    package func finish() {
        contents.withLock { contents in
            if contents.state.finish() { contents.wake() }
        }
    }

    /// A Boolean value that indicates whether the reader has read all bytes.
    package var isEmpty: Bool { contents.withLock { $0.state.isEmpty } }

    /// A Boolean value that indicates whether the reader is gone or the stream was finished.
    package var isOver: Bool { contents.withLock { $0.state.isOver } }

    /// Calls a closure once, as soon as no bytes wait, which may be immediately.
    ///
    /// If the stream is over, or the reader leaves before it has read all bytes, the closure is never called.
    package func onDrain(_ body: @escaping @Sendable () -> Void) {
        if contents.withLock({ $0.state.onDrain(body) }) { body() }
    }

    /// Calls a closure exactly once, after the end was sent or the reader left, which may be immediately.
    package func onEnd(_ body: @escaping @Sendable () -> Void) {
        if contents.withLock({ $0.state.onEnd(body) }) { body() }
    }

    // MARK: Functions for the transport

    /// Registers the only reader; returns `false` if the stream has a reader, because a stream is the body of one
    /// response.
    package func begin() -> Bool {
        contents.withLock { $0.state.begin() }
    }

    /// Reads at most `limit` bytes, or suspends the reader if no bytes wait.
    package func take(upTo limit: Int, by reader: some BodyReader) -> ReadResult {
        let (result, drained) = contents.withLock { $0.take(upTo: limit, by: reader) }
        for callback in drained { callback() }
        return result
    }

    /// Closes the stream after the reader left or sent the end; later calls do nothing.
    package func close() {
        let ended = contents.withLock { contents in
            let (wakes, ended) = contents.state.close()
            if wakes { contents.wake() }
            return ended
        }
        for callback in ended { callback() }
    }
}

/// The connection that sends a streamed body.
///
/// The stream calls both methods while it holds its lock. `resume` therefore never precedes the matching `suspend`, and
/// the reader is resumed before other threads can see that the stream is over. The methods must not call the stream.
package protocol BodyReader: Sendable {
    /// Stops reading until `resume` is called.
    func suspend()

    /// Continues to read; called on any thread.
    func resume()
}
