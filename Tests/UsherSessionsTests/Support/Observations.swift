import Synchronization
import UsherSessions

/// What a registry has told its operator.
final class Observations: Sendable {
    private let events = Mutex<[SessionEvent]>([])

    var all: [SessionEvent] { events.withLock { $0 } }

    func add(_ event: SessionEvent) {
        events.withLock { $0.append(event) }
    }
}

/// Counts what happens in several tasks.
final class Counter: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func increment() {
        number.add(1, ordering: .relaxed)
    }
}

/// Work that no request waits for, kept until a test runs it.
final class Errands: Sendable {
    typealias Work = @Sendable () async -> Void

    private let works = Mutex<[Work]>([])

    /// How many have come so far.
    let count = Atomic(0)

    func add(_ work: @escaping Work) {
        count.add(1, ordering: .relaxed)
        works.withLock { $0.append(work) }
    }

    /// Does all of it.
    func run() async {
        let taken = works.withLock { works in
            defer { works = [] }
            return works
        }
        for work in taken { await work() }
    }
}
