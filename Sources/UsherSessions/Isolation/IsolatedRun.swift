package import Usher
import UsherJSON
package import UsherJournal

/// A replay of a session, maybe with one more input, or a creation: run in a child process, where a crash does no harm.
///
/// It has all that the child needs, because that has no access to the journal.
package struct IsolatedRun: Sendable {
    /// The session; nil for a creation, which has none yet.
    package let session: SessionID?
    /// The name of the app.
    package let app: String
    /// The session's entries; none for a creation.
    package let entries: [Entry]
    /// The entry of the input that comes upon the newest revision, or of the creation; nil to replay the entries only.
    package let input: Entry?
    /// The time at which the entries become another session: effects under way then fail, and timers come that are due;
    /// nil if they go on as the session that they are.
    package let copiedAt: Timestamp?
    /// A Boolean value indicating whether the run's end has the session's state.
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

    /// The newest revision of the entries.
    var revision: Int { entries.last?.revision ?? 0 }
}

extension Entry {
    /// Creates the entry of an input that comes upon a revision, before it is handled.
    package init(_ payload: [UInt8], _ kind: Kind = .input, upon revision: Int, at time: Int64) {
        let identifiers = FreeIdentifiers(screen: 1, coordinator: 1)
        self.init(
            kind, revision: revision + 1, time: time, before: identifiers, after: identifiers, digest: 0,
            payload: payload)
    }

    /// Creates the entry of an input that comes upon a revision, before it is handled.
    init(_ input: Input, upon revision: Int) {
        var writer = JSONWriter(reservingCapacity: 128)
        _ = input.writePayload(SecretPlaces(), into: &writer)
        self.init(writer.bytes, input.entryKind, upon: revision, at: input.time.milliseconds)
    }
}

extension IsolatedRun {
    /// A message that no build writes: one sentence for whoever has sent it.
    package struct Malformed: Error, Equatable, CustomStringConvertible {
        /// The mistake.
        package let description: String
    }

    /// Bytes of a message at most: a session's, with room for what stands around its entries.
    private static let limit = 128 * 1024 * 1024
    /// Bytes of a length.
    package static let lengthSize = 4

    /// The run as a message for the child process: parts with their lengths before them.
    ///
    /// The session, the time of the copy, the app, `state` if it is wanted, the input's entry, and then the session's entries,
    /// each sealed as in the journal; a part that there is not is empty.
    package var message: [UInt8] {
        let key = session?.journalKey ?? JournalKey(high: 0, low: 0)
        let texts = [session?.text ?? "", copiedAt.map { "\($0.milliseconds)" } ?? "", app]
        let parts =
            (texts + [showsState ? "state" : ""]).map { Array($0.utf8) } + [input?.bytes(of: key) ?? []]
            + entries.map { $0.bytes(of: key) }
        return Self.framed(parts.flatMap { Self.framed($0) })
    }

    /// Returns bytes with their length before them.
    package static func framed(_ bytes: [UInt8]) -> [UInt8] {
        (0..<lengthSize).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
    }

    /// Reads the length of the bytes that follow.
    ///
    /// - Throws: `Malformed` if that is more than any message has.
    package static func length(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> Int {
        let length = bytes.prefix(lengthSize).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= limit else {
            throw Malformed(description: "an isolated run has at most \(limit) bytes, and not \(length)")
        }
        return length
    }

    /// Reads a message, without the length before it.
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

/// The restoration of a session by a build.
package enum SessionRestoration: Equatable, Codable, Sendable {
    /// It is as it was.
    case restored
    /// This build handles one of its inputs differently, so it goes on from an earlier revision; 0 if it begins anew.
    case resumes(after: Int, Divergence, losing: [LostFact] = [])
    /// This build must not serve it; the divergence and the facts that it would lose are the cause, if there are any.
    case held(HoldReason, Divergence? = nil, losing: [LostFact] = [])
    /// Its app has it end once the release is confirmed, because this build cannot follow it.
    case ends(Divergence, losing: [LostFact])

    init(_ result: ReplayResult, of entries: [Entry]) throws(JSONError) {
        guard let divergence = result.divergence, let entry = result.entry else {
            self = .restored
            return
        }
        let revision = try Resumption(entry).revision
        // Only an app that resumes in any case loses more than navigation.
        let losses = try DroppedPart(of: EffectiveHistory(entries), from: revision + 1).losses
        self = .resumes(after: revision, divergence, losing: losses)
    }

    init(failing error: any Error, endingSession isEnd: Bool) {
        let reason = HoldReason(restoring: error)
        if case ReplayError.losesFacts(let divergence, let losses) = error {
            self = isEnd ? .ends(divergence, losing: losses) : .held(reason, divergence, losing: losses)
        } else {
            self = .held(reason)
        }
    }
}

/// The end of an isolated run: the session's restoration, and what the build has shown that the client cannot draw.
package struct IsolatedEnd: Equatable, Codable, Sendable {
    /// The restoration of the session.
    package let restoration: SessionRestoration
    /// The screens that its client could not draw, each once.
    package let undrawn: [UndrawableScreen]
    /// The names of effects under way that another build has begun and that run with this build's value.
    package let renewed: [String]
    /// What the session needs of the app's code before each of its changes.
    package let changes: [ChangeNeed]
    /// The session's state as JSON, if it was wanted and there is one.
    package let state: String?

    /// A session that is as it was, and whose client can draw all of it.
    package static let restored = IsolatedEnd(.restored)

    /// Creates an end.
    package init(
        _ restoration: SessionRestoration, undrawn: [UndrawableScreen] = [], renewed: [String] = [],
        changes: [ChangeNeed] = [], state: String? = nil
    ) {
        (self.restoration, self.undrawn, self.renewed) = (restoration, undrawn, renewed)
        (self.changes, self.state) = (changes, state)
    }

    /// The end as one line of JSON, in which a child process tells it.
    package var json: String {
        var writer = JSONWriter()
        // All of it is text and whole numbers, which encode.
        guard (try? writer.encode(self)) != nil else { return "{}" }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Reads a line that `json` once was; nil for anything else.
    package init?(json: String) {
        guard let end = try? JSONDocument(parsing: Array(json.utf8)).root.decode(Self.self) else { return nil }
        self = end
    }
}

/// The outcome of an isolated run.
package enum IsolatedOutcome: Equatable, Sendable {
    /// It came to its end, whatever the app answered.
    case ended(IsolatedEnd)
    /// The process died that ran it.
    case crashes(Crash)
    /// Nothing is known: the child could not be started, or was ended for another reason; one sentence for the log.
    case untried(reason: String)
}

/// The death of a process.
package struct Crash: Equatable, Sendable {
    /// The cause: the name of a signal such as `SIGILL`, `exit N`, `timeout` or `memory`.
    package let cause: String
    /// The function that it died in, if the stack gives one.
    package let symbol: String?
    /// The revision of the entry whose replay it died at; nil if it was the input behind them all.
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

/// A place where isolated runs are made: children of this process, or in a test this process.
package protocol IsolatedRunner: Sendable {
    /// The number of calls of `outcomes(of:)` that it works on at the same time.
    var width: Int { get }

    /// Makes runs, one after the other, and returns an outcome for each.
    func outcomes(of runs: [IsolatedRun]) async -> [IsolatedOutcome]
}

extension IsolatedRunner {
    /// Makes one run, and returns its outcome.
    package func outcome(of run: IsolatedRun) async -> IsolatedOutcome {
        await outcomes(of: [run]).first ?? .untried(reason: "there was no run")
    }
}

/// This process as the place of runs: what dies there ends this process, so it is for commands and tests.
package struct InProcessRunner: IsolatedRunner {
    private let apps: [any App.Type]

    /// Creates a runner of apps.
    package init(apps: [any App.Type]) {
        self.apps = apps
    }

    /// One at a time.
    package var width: Int { 1 }

    /// Makes the runs here.
    package func outcomes(of runs: [IsolatedRun]) async -> [IsolatedOutcome] {
        var outcomes: [IsolatedOutcome] = []
        for run in runs { outcomes.append(.ended(await run.end(in: apps))) }
        return outcomes
    }
}
