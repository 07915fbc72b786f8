package import Usher
import UsherJSON
package import UsherJournal
import UsherProcess

/// A session's inputs and their results, which a test can repeat from the session's opening.
///
/// The export leaves out inputs that a divergence dropped, so screens and effects can have other ids in the repetition
/// than in the original session. The exported inputs use the ids of the repetition.
package struct ExportedSession: Sendable {
    /// One input.
    package struct Step: Sendable {
        /// The source of an input.
        package enum Kind: Sendable {
            /// A user's action.
            case action
            case result
            /// A timer that fired.
            case timer
            /// The result of an effect or timer that was rejected, because a closure failed.
            case refused
            /// A backend's message.
            case message
            /// A resumption at an earlier revision, because a build could not replay the inputs after that revision.
            case resumption
        }

        /// The source of the input.
        package let kind: Kind
        /// The payload in the journal, with masked secrets; for an action, the body of `POST /sessions/{id}/events`.
        package let body: [UInt8]
        /// The time of the input.
        package let time: Timestamp
        /// A Boolean value that indicates whether, at the time of the input, a timer was due and had not fired.
        package let hasDueTimer: Bool
        /// A Boolean value that indicates whether a secret in the input is masked.
        package let hasSecrets: Bool
        /// The screens and warnings after the input.
        package let expectation: Expectation

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

    /// The expected state after the opening or after an input.
    package struct Expectation: Sendable {
        /// All stacks in the notation of tests.
        package let stacks: String
        /// The engine's warnings.
        package let warnings: [String]

        package init(stacks: String, warnings: [String]) {
            self.stacks = stacks
            self.warnings = warnings
        }
    }

    /// The app.
    package let app: any App.Type
    /// The options as JSON, with secrets masked.
    package let options: [UInt8]
    /// The steps of the deep link that the session opens with, each as JSON, with secrets masked.
    package let link: [[UInt8]]
    /// The client that opened the session.
    package let client: Client
    /// A Boolean value that indicates whether a secret in the options or the link is masked.
    package let hasSecrets: Bool
    /// The seed of the session's random numbers.
    package let seed: UInt64
    /// The time at which the session was opened.
    package let time: Timestamp
    /// The screens and warnings after the opening.
    package let expectation: Expectation
    /// The inputs, in order.
    package let steps: [Step]

    /// Creates an export of unrecorded inputs, whose values are an author's examples and contain no secrets.
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

    /// Creates the export of a recorded session by repeating it.
    ///
    /// - Parameters:
    ///   - entries: A session's entries, the first of which is its creation.
    ///   - apps: The apps of this build.
    /// - Throws: `Divergence` if this build shows other screens; `ReplayError`.
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
    /// Returns the export of the session; throws the errors of `ExportedSession.init`.
    func exported() throws -> ExportedSession {
        flight?.begin(.replay, at: entries.first?.revision ?? 1)
        defer { flight?.end() }
        return try ExportedSession(entries, apps: apps)
    }
}

extension Entry {
    /// Returns the entry with only those secrets in its link that the app's coordinators declare.
    ///
    /// If the link had to wait, the entry lists all payloads of the link as secrets, because no coordinator had decoded
    /// the payloads yet.
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
