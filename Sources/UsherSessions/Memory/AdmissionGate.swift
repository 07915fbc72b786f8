import Synchronization
import UsherMetrics

/// The kinds of work that a server with little room refuses, in the order in which it does.
///
/// The end of a session, an operator's look at it and the server's health are never refused.
package enum Admission: Int, CaseIterable, Comparable, Sendable {
    /// Another session.
    case session
    /// Another stream.
    case stream
    /// A request on a session that has to be woken for it.
    case waking
    /// A user's input, or look at a session.
    case input

    /// The order in which they are refused.
    package static func < (left: Admission, right: Admission) -> Bool { left.rawValue < right.rawValue }
}

/// The gate that work has to pass: it is closed to some kinds of it while memory or connections are scarce.
package final class AdmissionGate: Sendable {
    /// The raw value of the last kind that is refused, and with it all before; -1 while none is.
    private let refused = Atomic(-1)
    private let refusals = Counters()

    /// Makes a gate that is open.
    package init() {}

    /// The last kind that is refused, and with it all before; nil while none is.
    package var closed: Admission? { Admission(rawValue: refused.load(ordering: .relaxed)) }

    /// Refuses a kind of work from now on, and all before it; none where nil.
    package func close(to work: Admission?) {
        refused.store(work?.rawValue ?? -1, ordering: .relaxed)
    }

    /// The number of times that a kind of work was refused.
    package func refusals(of work: Admission) -> Int { refusals[work.rawValue] }

    /// Lets work through.
    ///
    /// - Throws: `SessionError.noRoom` while its kind is refused.
    package func admit(_ work: Admission) throws(SessionError) {
        guard refuses(work) else { return }
        refusals.add(at: work.rawValue)
        throw .noRoom
    }

    /// True while a kind of work is refused.
    package func refuses(_ work: Admission) -> Bool { work.rawValue <= refused.load(ordering: .relaxed) }
}
