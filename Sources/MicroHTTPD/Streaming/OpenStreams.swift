internal import Synchronization
internal import UsherHTTP

/// The register of streamed bodies: a daemon ends them when it stops, for none of them ends by itself.
final class OpenStreams: Sendable {
    private struct Contents {
        var isClosed = false
        var streams: [ObjectIdentifier: BodyStream] = [:]
    }

    private let contents = Mutex(Contents())

    /// Registers a stream; once the register is closed, the stream is finished instead.
    func insert(_ stream: BodyStream) {
        let isClosed = contents.withLock { contents in
            if !contents.isClosed { contents.streams[ObjectIdentifier(stream)] = stream }
            return contents.isClosed
        }
        if isClosed { stream.finish() }
    }

    func remove(_ stream: BodyStream) {
        contents.withLock { $0.streams[ObjectIdentifier(stream)] = nil }
    }

    /// Finishes all, now and later: none is suspended any more when this is done.
    func close() {
        let open = contents.withLock { contents in
            contents.isClosed = true
            defer { contents.streams = [:] }
            return Array(contents.streams.values)
        }
        for stream in open { stream.finish() }
    }
}
