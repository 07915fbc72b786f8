import Testing

@testable import UsherProcess

@Suite("What the watchdog finds")
struct FlightWatchTests {
    private static let second: Int64 = 1_000_000_000
    private var watch = FlightWatch(WatchLimits(handlerTime: .seconds(5), memory: 1_000))

    private func sight(_ slot: Int = 0, _ sequence: UInt64 = 1, at revision: Int = 1, since begin: Int64 = 0)
        -> FlightWatch.Sight
    {
        FlightWatch.Sight(slot: slot, sequence: sequence, revision: revision, begin: begin)
    }

    /// Checks every tenth of a second, from one time to another.
    private mutating func look(
        _ sights: FlightWatch.Sight..., from start: Double = 0, to end: Double, size: Int = 0
    ) -> [FlightWatch.Excess] {
        var findings: [FlightWatch.Excess] = []
        for step in Int(start * 10)...Int(end * 10) {
            findings = watch.look(at: sights, at: Int64(step) * Self.second / 10, size: size)
        }
        return findings
    }

    @Test mutating func `a mark that is older than the time limit is found, and a younger mark is not found`() {
        #expect(look(sight(), to: 5).isEmpty)
        let finding = look(sight(), sight(1, since: 5 * Self.second), from: 5.1, to: 5.2)
        #expect(finding.map(\.sight.slot) == [0])
        #expect(finding.first?.note == .overtime(nanoseconds: 5_200_000_000))
    }

    @Test mutating func `a new mark in the same slot begins a new time limit`() {
        #expect(look(sight(), to: 4).isEmpty)
        #expect(look(sight(0, 2, since: 4 * Self.second), from: 4.1, to: 9).isEmpty)
        #expect(look(sight(0, 2, since: 4 * Self.second), from: 9, to: 9.2).count == 1)
    }

    @Test mutating func `a replay is overdue if it stays at the same entry, but not if it advances`() {
        for revision in 1...100 {
            let start = Double(revision) - 1
            #expect(look(sight(at: revision), from: start, to: start + 0.9).isEmpty)
        }
        #expect(look(sight(at: 101), from: 100, to: 105.1).count == 1)
    }

    @Test mutating func `the time limit does not count the time in which the process was suspended`() {
        #expect(look(sight(), to: 4).isEmpty)
        #expect(look(sight(), from: 100, to: 100).isEmpty)
        #expect(look(sight(), from: 100.1, to: 100.2).count == 1)
    }

    @Test mutating func `the watchdog does not report an old mark at once when it sees the mark for the first time`() {
        #expect(look(to: 50).isEmpty)
        #expect(look(sight(since: 1), from: 50.1, to: 50.1).isEmpty)
    }

    @Test mutating func `if the process has grown too much since a mark began, all current marks are found`() {
        #expect(look(to: 0.1, size: 10_000).isEmpty)
        #expect(look(sight(), from: 0.2, to: 0.5, size: 10_900).isEmpty)
        let findings = look(sight(), sight(3, since: 500_000_000), from: 0.6, to: 0.6, size: 11_500)
        #expect(findings.map(\.sight.slot) == [0, 3])
        #expect(findings.first?.note == .memory(bytes: 1_500))
    }

    @Test mutating func `the watchdog reports neither growth without an input in progress nor an unknown size`() {
        #expect(look(to: 1, size: 0).isEmpty)
        #expect(look(to: 2, size: 100_000).isEmpty)
        #expect(look(sight(since: 2 * Self.second), from: 2.1, to: 3, size: 100_000).isEmpty)
        #expect(watch.look(at: [sight(since: 2 * Self.second)], at: 4 * Self.second, size: nil).isEmpty)
    }

    @Test mutating func `without limits, the watchdog finds nothing`() {
        watch = FlightWatch(WatchLimits(handlerTime: nil, memory: nil))
        #expect(look(sight(), to: 1_000, size: 5).isEmpty)
        #expect(look(sight(), from: 1_000, to: 1_000, size: 1 << 40).isEmpty)
    }
}
