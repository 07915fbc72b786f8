import Synchronization
import Usher
import UsherJournal

/// A death of a process, of the server's or of a trial's, and what is known of the input that was in flight.
package struct CrashIncident: Sendable {
    /// The kinds of deaths.
    package enum Kind: String, Sendable {
        /// The server's process died while it was in flight.
        case crash
        /// The watchdog ended the server, for it took too long.
        case overtime
        /// The watchdog ended the server, for it took too much memory.
        case memory
        /// A trial's process died before the server had handled it.
        case trial
    }

    /// The verdict on the input.
    package enum Verdict: Equatable, Sendable {
        /// It is being tried, and its session is held.
        case pending
        /// A trial has acquitted it.
        case survives
        /// A trial's process died of it: it is refused.
        case guilty
        /// It could not be tried; why.
        case untried(String)
    }

    /// The kind of death.
    package let kind: Kind
    /// When it was noted: milliseconds since 1970.
    package let time: Int64
    /// The session; nil for a creation.
    package let session: SessionID?
    /// The name of its app.
    package let app: String
    /// The visible screen's name, as far as it is known.
    package internal(set) var screen = ""
    /// The input in words, without its payload, such as `event pay`.
    package internal(set) var event: String
    /// The revision that it came upon; the entry's in a replay.
    package let revision: Int
    /// The thread's number, where a server died.
    package var thread: Int?
    /// The cause and the place of a trial's death.
    package internal(set) var crash: Crash?
    /// The stack as the watchdog found it, innermost frame first.
    package var stack: [String] = []
    /// The verdict.
    package internal(set) var verdict: Verdict
    /// The identity of the build.
    package let build: UInt64
}

extension CrashIncident {
    /// The incident that a guilty input of the journal tells of.
    init(_ input: GuiltyInput) {
        self.init(
            kind: .trial, time: input.time, session: input.identity.session.map { SessionID($0) }, app: input.site.app,
            screen: input.site.screen, event: input.site.event, revision: input.identity.revision,
            crash: Crash(text: input.crash), verdict: .guilty, build: input.build)
    }
}

extension Crash {
    /// Reads a crash from its description, such as `SIGILL in Shop.pay()`.
    fileprivate init(text: String) {
        // Not split by a text, which would link the readers of regular expressions.
        let words = text.split(separator: " ")
        let end = words.firstIndex(of: "in") ?? words.endIndex
        let symbol = words[end...].dropFirst().joined(separator: " ")
        self.init(words[..<end].joined(separator: " "), in: symbol.isEmpty ? nil : symbol)
    }
}

/// The newest incidents, for an operator.
final class CrashIncidents: Sendable {
    private struct Contents {
        /// The oldest first.
        var incidents: [(number: Int, incident: CrashIncident)] = []
        var nextNumber = 0
    }

    private let contents: Mutex<Contents>
    private static let limit = 256

    /// Makes a list of what the journal knows.
    ///
    /// - Parameter guilty: The oldest first.
    init(_ guilty: [GuiltyInput]) {
        contents = Mutex(Contents())
        for input in guilty.suffix(Self.limit) { add(CrashIncident(input)) }
    }

    /// Adds an incident; beyond the limit the oldest goes.
    ///
    /// - Returns: The number by which it can be changed.
    @discardableResult
    func add(_ incident: CrashIncident) -> Int {
        contents.withLock { contents in
            if contents.incidents.count == Self.limit { contents.incidents.removeFirst() }
            defer { contents.nextNumber += 1 }
            contents.incidents.append((contents.nextNumber, incident))
            return contents.nextNumber
        }
    }

    /// Changes an incident that is still there.
    func change(_ number: Int, _ body: (inout CrashIncident) -> Void) {
        contents.withLock { contents in
            guard let index = contents.incidents.lastIndex(where: { $0.number == number }) else { return }
            body(&contents.incidents[index].incident)
        }
    }

    /// All of them, the newest first.
    var newest: [CrashIncident] { contents.withLock { $0.incidents.reversed().map(\.incident) } }
}
