import Synchronization
import Testing

@testable import UsherProcess

/// Serialized, because the ends of a process's threads are noted in only one record.
@Suite("Watchdog", .serialized)
struct WatchdogTests {
    /// The actions of a watchdog, in order.
    private final class Diary: Sendable {
        let lines = Mutex<[String]>([])
        let now = Atomic<Int64>(MonotonicClock.now)
        let size = Atomic(0)
        /// Called after an excess is found, and before the process would end.
        let whenAlarmed = Mutex<@Sendable () -> Void>({})

        func write(_ line: String) {
            lines.withLock { $0.append(line) }
        }

        var surroundings: Watchdog.Surroundings {
            var surroundings = Watchdog.Surroundings()
            surroundings.now = { self.now.load(ordering: .relaxed) }
            surroundings.size = { self.size.load(ordering: .relaxed) }
            surroundings.end = { self.write("end \($0)") }
            surroundings.setAlarm = { isOn in
                self.write(isOn ? "alarm" : "no alarm")
                if isOn { self.whenAlarmed.withLock { $0() } }
            }
            return surroundings
        }

        func advance(milliseconds: Int64) {
            now.add(milliseconds * 1_000_000, ordering: .relaxed)
        }
    }

    private let diary = Diary()
    private let record: FlightRecord
    private let watchdog: Watchdog

    init() throws {
        record = try FlightRecord()
        watchdog = Watchdog(
            record, limits: .init(handlerTime: .milliseconds(500), memory: 1_000), in: diary.surroundings,
            report: { [diary] mark in
                diary.write("\(mark.app) \(mark.kind) \(mark.revision) stack \(!mark.frames.isEmpty)")
            })
        record.noteCrashes()
    }

    private func look(_ times: Int) {
        for _ in 0..<times {
            diary.advance(milliseconds: 100)
            watchdog.look()
        }
    }

    @Test func `a handler that takes too long is noted with its stack and reported, and the process ends`() {
        record.begin(.input, of: (1, 2), app: "tudy", upon: 7)
        look(7)
        #expect(diary.lines.withLock { $0 } == ["alarm", "tudy input 7 stack true", "end 70"])
        #expect(record.marks.first?.note == .overtime(nanoseconds: 600_000_000))
        let names = ExecutableSymbols()?.names(at: record.marks.first?.frames ?? []) ?? []
        #expect(names.contains { $0?.contains("Watchdog") ?? false }, "the stack is that of this thread")
    }

    @Test func `handlers that finish in time are not reported, however many they are`() {
        for revision in 0..<50 {
            record.begin(.input, of: (1, 2), app: "tudy", upon: revision)
            look(3)
            record.end()
        }
        look(20)
        #expect(diary.lines.withLock { $0.isEmpty })
    }

    @Test func `a handler that finishes while its stack is read is reported as slow, but the process continues`() {
        record.begin(.input, of: (1, 2), app: "tudy", upon: 7)
        diary.whenAlarmed.withLock { [record] action in action = { record.end() } }
        look(7)
        #expect(diary.lines.withLock { $0 } == ["alarm", "no alarm"])
    }

    @Test func `during the alarm, the process continues if another handler has taken the slow handler's place`() {
        record.begin(.input, of: (1, 2), app: "tudy", upon: 7)
        diary.whenAlarmed.withLock { [record] action in
            action = { record.begin(.input, of: (1, 2), app: "tudy", upon: 8) }
        }
        look(7)
        #expect(diary.lines.withLock { $0 } == ["alarm", "no alarm"])
    }

    @Test func `the process is ended if it grows too much during an input`() {
        look(1)
        record.begin(.look, of: (1, 2), app: "tudy", upon: 3)
        diary.size.store(2_000, ordering: .relaxed)
        look(1)
        #expect(record.marks.first?.note == .memory(bytes: 2_000))
        #expect(diary.lines.withLock { $0.last } == "end 70")
    }

    @Test func `a process that does not stop in time is ended with status 71`() {
        watchdog.expectEnd(within: .seconds(2))
        look(20)
        #expect(diary.lines.withLock { $0.isEmpty })
        look(1)
        #expect(diary.lines.withLock { $0 } == ["alarm", "end 71"])
    }

    @Test func `a watchdog that was stopped reports nothing`() {
        watchdog.stop()
        record.begin(.input, of: (1, 2), app: "tudy", upon: 7)
        look(20)
        #expect(!watchdog.look())
        #expect(diary.lines.withLock { $0.isEmpty })
    }
}
