internal import Synchronization

// What the transport does with a stream.
extension BodyStream {
    /// What a reader gets.
    package enum Taken {
        /// Bytes, and how many still wait.
        case bytes(ArraySlice<UInt8>, waiting: Int)
        /// Nothing yet: the reader was suspended, and is resumed as soon as there is something.
        case parked
        /// Nothing more will come.
        case end
    }

    /// Begins to read.
    ///
    /// - Returns: false if somebody did before: a stream is the body of one response.
    package func begin() -> Bool {
        contents.withLock { $0.state.begin() }
    }

    /// Takes bytes, at most so many, or suspends the reader.
    package func take(upTo limit: Int, by reader: some BodyReader) -> Taken {
        let (taken, drained) = contents.withLock { $0.take(upTo: limit, by: reader) }
        for callback in drained { callback() }
        return taken
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

extension BodyStream.Contents {
    fileprivate mutating func take(
        upTo limit: Int, by reader: some BodyReader
    ) -> (taken: BodyStream.Taken, drained: [BodyStreamState.Callback]) {
        switch state.take(upTo: limit) {
        case .bytes(let bytes, let waiting, let drained): return (.bytes(bytes, waiting: waiting), drained)
        case .end: return (.end, [])
        case .nothing:
            reader.suspend()
            parked = reader
            return (.parked, [])
        }
    }
}
