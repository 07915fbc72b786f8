import Testing
import UsherHTTP

@testable import Usher
@testable import UsherServer
@testable import UsherSessions

@Suite("The events of one stream")
struct EventStreamTests {
    private let stream: EventStream
    private let waiting = WaitingBytes(bound: 1 << 20)
    private let reader = PatientReader()

    init() {
        stream = EventStream(waiting: waiting)
    }

    @Test func `if states arrive before the first state is sent, the stream then sends a gap and the newest state`() {
        for revision in 2...4 { stream.see(snapshot(revision)) }
        begin(at: 1)
        #expect(read() == ["state 1", "gap", "state 4"])
        stream.see(snapshot(5))
        #expect(read() == ["state 5"])
    }

    @Test func `the stream sends each refused input once, in order, and after the first state`() {
        let stream = EventStream(tellingRefusals: true, waiting: waiting)
        let refused = (1...4).map { number in
            RefusedInput(number: number, revision: 1, time: 0, status: 409, reason: "\(number)", input: nil)
        }
        // Two rejections arrive while the list is read, and one of them was already in it.
        stream.see(refused[1])
        stream.see(refused[2])
        stream.begin(with: snapshot(1), known: nil, refused: Array(refused[...1]))
        stream.see(refused[3])
        #expect(read(stream) == ["state 1", "refused 1", "refused 2", "refused 3", "refused 4"])
    }

    @Test func `the stream sends a gap before a state if it skips revisions before the state`() {
        begin(at: 1)
        stream.see(snapshot(2))
        stream.see(snapshot(4))
        stream.see(snapshot(3))
        #expect(read() == ["state 1", "state 2", "gap", "state 4"])
    }

    @Test func `a state of a new epoch is sent after a gap, whatever its revision`() {
        stream.begin(with: snapshot(9, epoch: "a"), known: nil)
        stream.see(snapshot(10, epoch: "a"))
        stream.see(snapshot(8, epoch: "a-1"))
        stream.see(snapshot(9, epoch: "a-1"))
        #expect(read() == ["state 9.a", "state 10.a", "gap", "state 8.a-1", "state 9.a-1"])
    }

    @Test func `a slow reader gets a gap, the newest state, and the end`() {
        begin(at: 1)
        for revision in 2...40 { stream.see(snapshot(revision, size: 60_000)) }
        stream.see(snapshot(41, size: 60_000, isEnd: true))
        stream.end(.over(nil))
        let events = read()
        #expect(events.prefix(3) == ["state 1", "state 2", "state 3"])
        #expect(events.suffix(3) == ["gap", "state 41", "end"])
        #expect(events.count < 10)
        #expect(stream.body.isOver)
    }

    @Test func `a slow reader gets the event for the end of the session`() {
        begin(at: 1)
        for revision in 2...40 { stream.see(snapshot(revision, size: 60_000)) }
        stream.end(.over(nil))
        #expect(read().suffix(3) == ["gap", "state 40", "end"])
        #expect(stream.body.isOver)
    }

    @Test func `the stream of a session on hold ends with the problem`() {
        begin(at: 1)
        stream.end(.held(.appMissing("shop")))
        let text = text(of: stream)
        #expect(text.contains("event: held\ndata: {\"type\":\"urn:usher:problem:session-held\""), "\(text)")
        #expect(text.hasSuffix("\"held\":\"app-missing\"}\n\n"), "\(text)")
        #expect(stream.body.isOver)
    }

    @Test func `the changes between two states are computed only once for all streams`() {
        let others = (0..<3).map { _ in EventStream(of: .changes, waiting: waiting) }
        for stream in others { stream.begin(with: state(1), known: nil) }
        let next = state(2)
        for stream in others { stream.see(next) }
        let (missed, newest) = (state(3), state(4))
        withExtendedLifetime(missed) { for stream in others { stream.see(newest) } }
        for stream in others {
            let data = text(of: stream).split(separator: "\n").filter { $0.hasPrefix("data: {\"r") }
            let rest = #""stack":[{"id":1}],"changes":[]}"#
            #expect(
                data == [
                    #"data: {"revision":1,\#(rest)"#, #"data: {"revision":2,"since":1,\#(rest)"#,
                    #"data: {"revision":4,\#(rest)"#,
                ])
        }
        #expect(next.reduced(to: .changes) === next.reduced(to: .changes))
    }

    @Test func `a stream does not send a state that the client already has`() {
        stream.begin(with: snapshot(3), known: "3")
        stream.see(snapshot(3))
        stream.see(snapshot(4))
        #expect(read() == ["state 4"])
    }

    @Test func `if memory for slow readers is short, a stream queues a state only after the previous one was sent`() {
        let hoard = snapshot(1, size: 600_000)
        begin(at: 1)
        for revision in 2...4 { stream.see(snapshot(revision, size: 1_000)) }
        #expect(read() == ["state 1", "gap", "state 4"])
        withExtendedLifetime(hoard) {}
    }

    @Test func `the memory of a state is counted once for all streams until the last stream has sent the state`() {
        let others = (0..<10).map { _ in EventStream(waiting: waiting) }
        do {
            let state = snapshot(1, size: 60_000)
            for stream in others { stream.begin(with: state, known: nil) }
            stream.begin(with: state, known: nil)
        }
        #expect(waiting.count == 60_000)
        for stream in others { stream.abort() }
        #expect(waiting.count == 60_000)
        #expect(read() == ["state 1"])
        #expect(waiting.count == 0)
    }

    @Test func `if slow readers use too much memory, the streams of the slowest readers are closed`() {
        let streams = EventStreams()
        let slow = (0..<5).map { _ in EventStream(waiting: waiting) }
        for (number, stream) in slow.enumerated() {
            streams.add(stream)
            stream.begin(with: snapshot(1, size: 210_000), known: nil)
            if number < 4 { stream.see(snapshot(2, size: 60_000)) }
        }
        #expect(waiting.excess > 0)
        #expect(streams.shed(waiting) == 1)
        #expect(waiting.excess == 0)
        #expect(slow.map(\.body.isOver) == [true, false, false, false, false])
        for stream in slow { stream.abort() }
    }

    private func begin(at revision: Int) {
        stream.begin(with: snapshot(revision), known: nil)
    }

    private func state(_ revision: Int) -> SharedSnapshot {
        let snapshot = Snapshot(
            revision: revision, epoch: nil,
            state: Array(#"{"revision":\#(revision),"stack":[{"id":1}],"changes":[]}"#.utf8), ending: nil, newLeaks: [],
            isReplayed: false, baseRevision: revision - 1)
        return SharedSnapshot(snapshot, in: waiting)
    }

    private func snapshot(
        _ revision: Int, epoch: String? = nil, size: Int = 2, isEnd: Bool = false
    ) -> SharedSnapshot {
        let snapshot = Snapshot(
            revision: revision, epoch: epoch, state: Array(repeating: UInt8(ascii: "1"), count: size),
            ending: isEnd ? Ending(reason: .finished, result: nil) : nil, newLeaks: [], isReplayed: false,
            baseRevision: 0)
        return SharedSnapshot(snapshot, in: waiting)
    }

    /// Returns the events that a fast reader gets.
    private func read(_ stream: EventStream? = nil) -> [String] {
        text(of: stream ?? self.stream).split(separator: "\n").compactMap { line in
            if line.hasPrefix("id: ") { return "state \(line.dropFirst(4))" }
            if line.hasPrefix(#"data: {"number":"#) { return "refused \(line.dropFirst(16).prefix(1))" }
            return line.hasPrefix("event: ") && !["event: state", "event: refused"].contains(line)
                ? String(line.dropFirst(7)) : nil
        }
    }

    private func text(of stream: EventStream) -> String {
        var text = ""
        while case .bytes(let parts, _) = stream.body.take(upTo: 10_000, by: reader) {
            text += String(decoding: parts.joined(), as: UTF8.self)
        }
        return text
    }

    private final class PatientReader: BodyReader {
        func suspend() {}
        func resume() {}
    }
}
