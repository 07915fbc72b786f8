import Synchronization
import Testing

@testable import UsherHTTP

@Suite struct BodyStreamTests {
    /// A reader that counts its calls.
    private final class CountingReader: BodyReader {
        let suspensions = Atomic(0)
        let resumptions = Atomic(0)
        func suspend() { suspensions.add(1, ordering: .relaxed) }
        func resume() { resumptions.add(1, ordering: .relaxed) }
        var isSuspended: Bool {
            suspensions.load(ordering: .relaxed) - resumptions.load(ordering: .relaxed) == 1
        }
    }

    @Test func `a reader is suspended while the stream is empty, and resumed once`() {
        let stream = BodyStream()
        let reader = CountingReader()
        _ = stream.take(upTo: 10, by: reader)
        #expect(reader.isSuspended)
        #expect(stream.send([1]))
        #expect(stream.send([2]))
        stream.finish()
        #expect(!reader.isSuspended)
        #expect(reader.resumptions.load(ordering: .relaxed) == 1)
    }

    @Test func `a callback may call its own stream`() {
        let stream = BodyStream(capacity: 1)
        let reader = CountingReader()
        let ends = Atomic(0)
        #expect(stream.send([1]))
        #expect(!stream.send([2]))
        stream.onDrain { _ = stream.send([2]) }
        stream.onEnd {
            #expect(stream.isOver)
            #expect(!stream.send([3]))
            ends.add(1, ordering: .relaxed)
        }
        _ = stream.take(upTo: 1, by: reader)
        #expect(!stream.isEmpty)
        stream.close()
        stream.close()
        #expect(ends.load(ordering: .relaxed) == 1)
    }

    @Test func `after a stream has ended, a sender that waits for room is called only once`() {
        let stream = BodyStream(capacity: 1)
        let calls = Atomic(0)
        @Sendable func fill() {
            calls.add(1, ordering: .relaxed)
            while stream.send([1]) {}
            stream.onDrain(fill)
        }
        fill()
        stream.finish()
        _ = stream.take(upTo: 1, by: CountingReader())
        #expect(calls.load(ordering: .relaxed) == 2)
        stream.close()
    }

    @Test func `a stream that is released calls the callback that waits for its end`() {
        let ends = Atomic(0)
        do {
            let stream = BodyStream()
            stream.onEnd { ends.add(1, ordering: .relaxed) }
            _ = stream.send([1])
        }
        #expect(ends.load(ordering: .relaxed) == 1)
    }

    @Test func `bytes that several threads send arrive completely, in order for each thread`() async {
        let stream = BodyStream(capacity: 64)
        let reader = CountingReader()
        let received = await withTaskGroup(of: Void.self) { group in
            for sender in UInt8(0)..<4 {
                group.addTask {
                    for number in UInt8(0)..<100 {
                        while !stream.send([sender, number]) { await Task.yield() }
                    }
                }
            }
            var bytes: [UInt8] = []
            while bytes.count < 800 {
                if reader.isSuspended {
                    await Task.yield()
                } else if case .bytes(let parts, _) = stream.take(upTo: 7, by: reader) {
                    bytes += parts.joined()
                }
            }
            return bytes
        }
        for sender in UInt8(0)..<4 {
            let numbers = stride(from: 0, to: 800, by: 2).filter { received[$0] == sender }.map { received[$0 + 1] }
            #expect(numbers == Array(0..<100))
        }
    }
}
