package import Usher
import UsherJSON
package import UsherJournal
import UsherProcess

/// A session's inputs as they have to be sent to walk it again from a new opening, with what each leads to.
///
/// Inputs that came to nothing are not sent again, nor those that a later build has gone back behind. Ids and revisions
/// that these have spent are not spent again, so screens and effects can have other ids; the inputs name those.
package struct ExportedSession: Sendable {
    /// One input.
    package struct Step: Sendable {
        /// The source of an input.
        package enum Kind: Sendable {
            /// From a user.
            case action
            /// From an effect that has come to its end.
            case result
            /// From a timer that has come due.
            case timer
            /// From an effect or a timer whose closure has failed.
            case refused
            /// From a backend.
            case message
            /// From a build that could not follow the inputs which came next.
            case resumption
        }

        /// The source.
        package let kind: Kind
        /// Its payload in the journal, with secrets masked: of an action, the body of `POST /sessions/{id}/events`.
        package let body: [UInt8]
        /// The time at which it came.
        package let time: Timestamp
        /// Set where a timer was due by then that had not come before.
        package let hasDueTimer: Bool
        /// Set where a secret is masked in it.
        package let hasSecrets: Bool
        /// The screens and warnings that it leads to.
        package let expectation: Expectation

        /// Makes a step.
        ///
        /// - Parameters:
        ///   - kind: The source.
        ///   - body: Its payload in the journal.
        ///   - time: The time at which it came.
        ///   - hasDueTimer: Set where a timer was due by then that had not come before.
        ///   - hasSecrets: Set where a secret is masked in it.
        ///   - expectation: The screens and warnings that it leads to.
        package init(
            kind: Kind, body: [UInt8], time: Timestamp, hasDueTimer: Bool, hasSecrets: Bool = false,
            expectation: Expectation
        ) {
            self.kind = kind
            self.body = body
            self.time = time
            self.hasDueTimer = hasDueTimer
            self.hasSecrets = hasSecrets
            self.expectation = expectation
        }
    }

    /// The state to be expected after the opening or an input.
    package struct Expectation: Sendable {
        /// All stacks, as tests write them.
        package let stacks: String
        /// The engine's warnings.
        package let warnings: [String]

        /// Makes an expectation.
        ///
        /// - Parameters:
        ///   - stacks: All stacks, as tests write them.
        ///   - warnings: The engine's warnings.
        package init(stacks: String, warnings: [String]) {
            self.stacks = stacks
            self.warnings = warnings
        }
    }

    /// The app.
    package let app: any App.Type
    /// The options as JSON, with secrets masked.
    package let options: [UInt8]
    /// The steps of the link to begin with, each as JSON, with secrets masked.
    package let link: [[UInt8]]
    /// The client that it was opened by.
    package let client: Client
    /// Set where a secret is masked in these.
    package let hasSecrets: Bool
    /// The seed of its random numbers.
    package let seed: UInt64
    /// The time at which it was opened.
    package let time: Timestamp
    /// The screens and warnings that the opening leads to.
    package let expectation: Expectation
    /// The inputs, in order.
    package let steps: [Step]

    /// Makes one of inputs that were tried, and not recorded: there is nothing to mask in an author's examples.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - options: The options as JSON.
    ///   - seed: The seed of its random numbers.
    ///   - time: The time at which it is opened.
    ///   - expectation: The screens and warnings that the opening leads to.
    ///   - steps: The inputs, in order.
    package init(
        of app: any App.Type, options: [UInt8], seed: UInt64, time: Timestamp, expectation: Expectation, steps: [Step]
    ) {
        self.app = app
        self.options = options
        self.seed = seed
        self.time = time
        self.expectation = expectation
        self.steps = steps
        link = []
        client = Client()
        hasSecrets = false
    }

    /// Walks a session again.
    ///
    /// - Parameters:
    ///   - entries: A session's entries, the first of which is its creation.
    ///   - apps: The apps of this build.
    /// - Throws: `Divergence` where this build does not come to the same screens; `ReplayError`.
    package init(_ entries: [Entry], apps: [any App.Type]) throws {
        let history = try EffectiveHistory(entries)
        guard let first = history.entries.first, first.kind == .creation else { throw ReplayError.noCreation }
        let creation = try Creation(try JSONDocument(parsing: first.payload).root, first, apps: apps)
        let known = first.narrowingSecrets(by: creation.app)
        let masked = try Creation(try JSONDocument(parsing: known.maskedPayload).root, first, apps: apps)
        app = creation.app
        options = masked.options
        link = masked.link.map { Array($0.bytes) }
        client = creation.client
        hasSecrets = !known.secrets.isEmpty
        seed = creation.seed
        time = creation.time
        var exporter = try SessionExporter(creation.standalone, first)
        expectation = try exporter.expectation
        steps = try history.entries.dropFirst().map { try exporter.handle($0) }
    }
}

extension Replay {
    /// The session as its inputs have to be sent to walk it again.
    ///
    /// - Throws: As `ExportedSession.init`.
    func exported() throws -> ExportedSession {
        flight?.begin(.replay, at: entries.first?.revision ?? 1)
        defer { flight?.end() }
        return try ExportedSession(entries, apps: apps)
    }
}

extension Entry {
    /// The entry with those secrets alone, in a link, that the app's hosts know of: of one that had to wait all payloads are
    /// secrets as a whole, for no host had decoded them.
    func narrowingSecrets(by app: any App.Type) -> Entry {
        guard !isErased, let steps = try? JSONDocument(parsing: payload).root[member: "open"], steps.kind == .array
        else {
            return self
        }
        var known: [Range<Int>: [Range<Int>]] = [:]
        for step in steps.elements {
            guard let payload = step.caseNameAndPayload?.payload, payload.kind == .object,
                let places = app.secretPlaces(of: step)
            else { continue }
            let start = step.range.lowerBound
            known[payload.range] = places.map { start + $0.lowerBound..<start + $0.upperBound }
        }
        return Entry(
            kind, revision: revision, time: time, before: before, after: after, digest: digest, visible: visible,
            payload: payload, facts: facts, secrets: secrets.flatMap { known[$0] ?? [$0] })
    }
}
