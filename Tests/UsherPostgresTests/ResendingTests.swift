import Testing
import UsherJournal
import UsherProcess

@testable import UsherPostgres

@Suite("Resending a group of changes")
struct ResendingTests {
    private static let second: Int64 = 1_000_000_000

    private func failure(_ kind: PostgresFailure.Kind) -> PostgresFailure { PostgresFailure(kind, "why") }

    @Test func `a group without a response is sent again for ten seconds, and then its outcome is unknown`() {
        var resending = Resending("j", from: 0)
        for time in 0..<10 {
            #expect(resending.step(after: failure(.unanswered), at: Int64(time) * Self.second).isAgain)
            #expect(resending.isUncertain)
        }
        guard case .giveUp(.outcomeUnknown) = resending.step(after: failure(.unanswered), at: 10 * Self.second) else {
            Issue.record("it goes on")
            return
        }
    }

    @Test func `a group that cannot be sent for about two seconds fails, and is reported as not written`() {
        var resending = Resending("j", from: 0)
        #expect(resending.step(after: failure(.unconnected), at: Self.second).isAgain)
        #expect(!resending.isUncertain)
        guard case .giveUp(.unavailable) = resending.step(after: failure(.unconnected), at: 2 * Self.second) else {
            Issue.record("it goes on")
            return
        }
    }

    @Test func `a group fails at once if earlier groups have already waited long for a connection`() {
        var resending = Resending("j", from: 5 * Self.second, outage: 2 * Self.second)
        guard case .giveUp(.unavailable) = resending.step(after: failure(.unconnected), at: 5 * Self.second) else {
            Issue.record("it goes on")
            return
        }
        var sent = Resending("j", from: 5 * Self.second, outage: 2 * Self.second)
        #expect(sent.step(after: failure(.unanswered), at: 6 * Self.second).isAgain)
        #expect(sent.deadline == 15 * Self.second)
    }

    @Test(arguments: [PostgresFailure.Kind.unconnected, .undone, .wrongServer, .resource, .configuration, .row])
    func `a group that was possibly written is never reported as not written`(kind: PostgresFailure.Kind) {
        var resending = Resending("j", from: 0)
        #expect(resending.step(after: failure(.unanswered), at: 0).isAgain)
        #expect(resending.step(after: failure(kind), at: Self.second).isAgain)
        guard case .giveUp(.outcomeUnknown) = resending.step(after: failure(kind), at: 11 * Self.second) else {
            Issue.record("it is no unknown outcome")
            return
        }
    }

    @Test(arguments: [PostgresFailure.Kind.unanswered, .undone, .resource, .configuration, .row, .wrongServer])
    func `between the attempts to send a group that fails immediately, there is a pause`(kind: PostgresFailure.Kind) {
        var resending = Resending("j", from: 0)
        var (time, attempts) = (Int64(0), 0)
        var step = resending.step(after: failure(kind == .undone ? .undone : .unanswered), at: time)
        while case .again(let pause) = step {
            time += pause
            attempts += 1
            step = resending.step(after: failure(kind), at: time)
        }
        #expect((5...20).contains(attempts))
        #expect(time == 10 * Self.second)
        guard case .giveUp(let error) = step else {
            Issue.record("it is not given up")
            return
        }
        #expect((error == .unavailable(failure(kind).unavailability("j"))) == (kind == .undone))
    }

    @Test func `if a lock blocks a group, the group is divided once, into locked and unlocked sessions`() {
        var resending = Resending("j", from: 0)
        let lock = PostgresFailure(state: "55P03", message: "a lock")
        #expect(resending.step(after: lock, at: 5 * Self.second) == .part)
        #expect(resending.step(after: lock, at: 5 * Self.second).isAgain)
        guard case .giveUp(.unavailable) = resending.step(after: lock, at: 10 * Self.second) else {
            Issue.record("it goes on")
            return
        }
    }

    @Test
    func `a group is divided if a row cannot be written, and fails at once if an error is permanent`() {
        var resending = Resending("j", from: 0)
        #expect(resending.step(after: failure(.row), at: 0) == .split)
        for kind in [PostgresFailure.Kind.configuration, .resource] {
            guard case .giveUp(.unavailable) = resending.step(after: failure(kind), at: 0) else {
                Issue.record("it goes on")
                return
            }
        }
    }

    @Test(arguments: [
        ("40001", PostgresFailure.Kind.undone), ("40P01", .undone), ("55P03", .undone), ("08006", .unanswered),
        ("57P01", .unanswered), ("57P05", .unanswered), ("57014", .undone), ("40003", .unanswered), ("", .unanswered),
        ("01000", .unanswered),
        ("53300", .wrongServer),
        ("25006", .wrongServer), ("53100", .resource), ("42501", .configuration), ("28P01", .configuration),
        ("23505", .row), ("22P02", .row), ("XX000", .resource),
    ])
    func `each error code of the database is assigned to a kind of failure`(state: String, kind: PostgresFailure.Kind) {
        #expect(PostgresFailure(state: state, message: "").kind == kind)
    }

    @Test func `a server that needs a connection by a deadline makes only a few attempts`() throws {
        let location = try PostgresLocation("postgres:///usher?host=/tmp/usher-no-such-folder")
        let link = DatabaseLink(to: location) { _, _ throws(PostgresFailure) in }
        let statement = "SELECT"
        let deadline = MonotonicClock.now + Self.second
        var attempts = 0
        while MonotonicClock.now < deadline {
            attempts += 1
            #expect(throws: PostgresFailure.self) { _ = try link.run(statement, by: deadline) }
        }
        #expect((1...3).contains(attempts))
    }

    @Test func `the pauses between attempts double, up to two seconds`() {
        var backoff = RetryBackoff()
        #expect(backoff.next() < Self.second / 10)
        let pauses = (0..<12).map { _ in backoff.next() }
        #expect((Self.second...2 * Self.second).contains(pauses[11]))
        #expect(pauses.allSatisfy { $0 <= 2 * Self.second })
    }
}

extension Resending.Step {
    /// A Boolean value that indicates whether the statement is sent again.
    fileprivate var isAgain: Bool {
        if case .again = self { true } else { false }
    }
}
