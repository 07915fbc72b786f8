package import Usher
import UsherJSON
package import UsherJournal

/// A job for a child process: either a session's creation, or a session's replay and possibly one more input.
///
/// If the child crashes, this process continues. The job contains everything that the child needs, because the child
/// cannot read the journal.
package struct IsolatedRun: Sendable {
    /// The session; `nil` for a creation.
    package let session: SessionID?
    package let app: String
    /// The session's entries; empty for a creation.
    package let entries: [Entry]
    /// The entry of the creation, or of the input that follows the entries; `nil` to replay only the entries.
    package let input: Entry?
    /// The time at which a copy of the session is made from the entries; `nil` to replay the session itself.
    ///
    /// In a copy, running effects fail and due timers fire.
    package let copiedAt: Timestamp?
    /// A Boolean value that indicates whether the run returns the session's state.
    package let showsState: Bool

    /// Creates the run of a session.
    package init(
        of session: SessionID, _ app: String, _ entries: [Entry], input: Entry? = nil, copiedAt time: Timestamp? = nil,
        showsState: Bool = false
    ) {
        (self.session, self.app, self.entries, self.input, copiedAt) = (session, app, entries, input, time)
        self.showsState = showsState
    }

    /// Creates the run of a creation.
    package init(creating input: Entry, of app: String) {
        (session, self.app, entries, self.input, copiedAt, showsState) = (nil, app, [], input, nil, false)
    }

    var revision: Int { entries.last?.revision ?? 0 }
}

extension Entry {
    package init(_ payload: [UInt8], _ kind: Kind = .input, upon revision: Int, at time: Int64) {
        let identifiers = FreeIdentifiers(screen: 1, coordinator: 1)
        self.init(
            kind, revision: revision + 1, time: time, before: identifiers, after: identifiers, digest: 0,
            payload: payload)
    }

    /// Creates the entry of an input that has not been handled.
    init(_ input: Input, upon revision: Int) {
        var writer = JSONWriter(reservingCapacity: 128)
        _ = input.writePayload(SecretPlaces(), into: &writer)
        self.init(writer.bytes, input.entryKind, upon: revision, at: input.time.milliseconds)
    }
}

extension IsolatedRun {
    /// The error for a message that no build writes, as one sentence for the sender.
    package struct Malformed: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The largest size of a message in bytes, which leaves room for the largest session and the other parts.
    private static let limit = 128 * 1024 * 1024
    /// The size of the length before each part of a message, in bytes.
    package static let lengthSize = 4

    /// The run as a message for the child process: parts, each preceded by its length.
    ///
    /// The parts are the session, the time of the copy, the app, `state` if the state is requested, the input's entry,
    /// and the session's entries. Each entry has the bytes that the journal stores. A missing part is empty.
    package var message: [UInt8] {
        let key = session?.journalKey ?? JournalKey(high: 0, low: 0)
        let texts = [session?.text ?? "", copiedAt.map { "\($0.milliseconds)" } ?? "", app]
        let parts =
            (texts + [showsState ? "state" : ""]).map { Array($0.utf8) } + [input?.bytes(of: key) ?? []]
            + entries.map { $0.bytes(of: key) }
        return Self.framed(parts.flatMap { Self.framed($0) })
    }

    /// Returns bytes preceded by their length.
    package static func framed(_ bytes: [UInt8]) -> [UInt8] {
        (0..<lengthSize).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
    }

    /// Returns the length at the start of bytes.
    ///
    /// - Throws: `Malformed` if the length exceeds the limit.
    package static func length(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> Int {
        let length = bytes.prefix(lengthSize).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= limit else {
            throw Malformed(description: "an isolated run has at most \(limit) bytes, and not \(length)")
        }
        return length
    }

    /// Creates a run from a message, without the length before the message.
    ///
    /// - Throws: `Malformed`.
    package init(message: [UInt8]) throws(Malformed) {
        var (rest, parts): (ArraySlice<UInt8>, [[UInt8]]) = (message[...], [])
        while !rest.isEmpty {
            let length = try Self.length(rest)
            guard rest.count >= Self.lengthSize + length else {
                throw Malformed(description: "an isolated run ends too early")
            }
            parts.append(Array(rest.dropFirst(Self.lengthSize).prefix(length)))
            rest = rest.dropFirst(Self.lengthSize + length)
        }
        let texts = parts.prefix(4).map { String(decoding: $0, as: UTF8.self) }
        let session = texts.first.flatMap { SessionID($0) }
        let key = session?.journalKey ?? JournalKey(high: 0, low: 0)
        guard parts.count >= 5, (session == nil) == parts[0].isEmpty, (session == nil) == (parts.count == 5),
            session != nil || !parts[4].isEmpty,
            let input = try? parts[4].isEmpty ? [] : [Entry(parts[4], of: key)],
            let entries = try? parts[5...].map({ try Entry($0, of: key) }),
            zip(entries, entries.dropFirst()).allSatisfy({ $1.revision == $0.revision + 1 })
        else { throw Malformed(description: "an isolated run has a session with its entries, or a creation") }
        self.session = session
        (app, self.entries, self.input) = (texts[2], entries, input.first)
        copiedAt = Int64(texts[1]).map { Timestamp(milliseconds: $0) }
        showsState = texts[3] == "state"
    }
}

/// The result of an isolated run.
package struct IsolatedEnd: Equatable, Codable, Sendable {
    /// How a server of this build would continue the session.
    package let fate: CheckedSession.Fate
    /// The cause of the change; `nil` if the session is unchanged.
    package let cause: CheckedSession.Cause?
    /// The screens that the client could not draw, each once.
    package let undrawn: [UndrawableScreen]
    /// See `CheckedSession.renewed`.
    package let renewed: [String]
    /// The app's changes whose old code the session still needs.
    package let changes: [ChangeNeed]
    /// The session's state as JSON, if the state was requested and exists.
    package let state: String?

    package static let restored = IsolatedEnd(.unchanged)

    package init(
        _ fate: CheckedSession.Fate, _ cause: CheckedSession.Cause? = nil, undrawn: [UndrawableScreen] = [],
        renewed: [String] = [], changes: [ChangeNeed] = [], state: String? = nil
    ) {
        (self.fate, self.cause, self.undrawn) = (fate, cause, undrawn)
        (self.renewed, self.changes, self.state) = (renewed, changes, state)
    }

    /// The result as one line of JSON, which the child process writes to this process.
    package var json: String {
        var writer = JSONWriter()
        // Cannot fail, because text and whole numbers always encode.
        guard (try? writer.encode(self)) != nil else { return "{}" }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Parses the line that `json` returns; `nil` for other text.
    package init?(json: String) {
        guard let end = try? JSONDocument(parsing: Array(json.utf8)).root.decode(Self.self) else { return nil }
        self = end
    }
}

/// The outcome of an isolated run.
package enum IsolatedOutcome: Equatable, Sendable {
    /// The run ended, whether or not the app accepted the input.
    case ended(IsolatedEnd)
    /// The process that performed the run died.
    case crashes(Crash)
    /// The run could not start, or could not finish for a reason other than a crash. The value is one sentence for the
    /// log.
    case untried(reason: String)
}

/// The death of a process.
package struct Crash: Equatable, Sendable {
    /// The cause: the name of a signal such as `SIGILL`, or `exit N`, `timeout` or `memory`.
    package let cause: String
    /// The function in which the process died, if the stack shows it.
    package let symbol: String?
    /// The revision of the entry whose replay crashed; `nil` if the input after the entries crashed.
    package let revision: Int?

    /// Creates a crash.
    package init(_ cause: String, in symbol: String? = nil, at revision: Int? = nil) {
        (self.cause, self.symbol, self.revision) = (cause, symbol, revision)
    }
}

extension Crash: CustomStringConvertible {
    /// The cause and the place, such as `SIGILL in Shop.pay()`.
    package var description: String { symbol.map { "\(cause) in \($0)" } ?? cause }
}

/// Performs isolated runs: in child processes or, in tests, in this process.
package protocol IsolatedRunner: Sendable {
    /// The number of calls of `outcomes(of:)` that can run at the same time.
    var width: Int { get }

    /// Performs runs one after another, and returns an outcome for each.
    func outcomes(of runs: [IsolatedRun]) async -> [IsolatedOutcome]
}

extension IsolatedRunner {
    /// Performs one run and returns its outcome.
    package func outcome(of run: IsolatedRun) async -> IsolatedOutcome {
        await outcomes(of: [run]).first ?? .untried(reason: "there was no run")
    }
}

/// A runner that runs in this process, so that a crash ends the process; for commands and tests.
package struct InProcessRunner: IsolatedRunner {
    private let apps: [any App.Type]

    /// Creates a runner for apps.
    package init(apps: [any App.Type]) {
        self.apps = apps
    }

    package var width: Int { 1 }

    /// Performs the runs in this process.
    package func outcomes(of runs: [IsolatedRun]) async -> [IsolatedOutcome] {
        var outcomes: [IsolatedOutcome] = []
        for run in runs { outcomes.append(.ended(await run.end(in: apps))) }
        return outcomes
    }
}
