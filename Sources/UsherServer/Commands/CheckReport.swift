import Usher
import UsherJSON
import UsherSessions

/// The result of a check: the number of sessions with each outcome, and each cause with a count and an example.
struct CheckReport {
    /// A cause of an outcome, which several sessions may share.
    private struct Cause: Hashable {
        let fate: CheckedSession.Fate
        let app: String
        let text: String
        /// The kinds of things that are lost, or that would be lost if the session were not on hold.
        let losses: [String]
        let reason: HoldReason.Kind?
    }

    /// A client version that cannot draw a screen of this build.
    private struct OutdatedClient: Hashable {
        let app: String
        let client: String
        let screen: UndrawableScreen
    }

    /// A running effect that another build started and that would run again, with values from this build.
    private struct RenewedEffect: Hashable {
        let app: String
        let name: String
    }

    private struct DeclaredChange: Hashable, Comparable {
        let app: String
        let name: String

        static func < (left: Self, right: Self) -> Bool { (left.app, left.name) < (right.app, right.name) }
    }

    private var fates: [CheckedSession.Fate: Int] = [:]
    private var causes = Tally<Cause, CheckedSession>()
    private var clients = Tally<OutdatedClient, SessionID>()
    private var effects = Tally<RenewedEffect, SessionID>()
    /// The changes, each with the number of sessions that still need the old code, and the first of these sessions.
    private var changes: [DeclaredChange: (count: Int, example: SessionID?)] = [:]

    /// The comparison with another build; nil if no build was given.
    private var comparison: StateComparison?

    /// Creates an empty report, with a comparison if there is another build; throws `CommandFailure` if that build
    /// fails.
    init(comparedWith other: OtherBuild? = nil) throws(CommandFailure) {
        if let other { comparison = try StateComparison(with: other) }
    }

    /// Adds the next session in the order of ids; throws `CommandFailure` if the other build fails.
    mutating func add(_ session: CheckedSession) throws(CommandFailure) {
        try comparison?.add(session)
        fates[session.fate, default: 0] += 1
        if let cause = session.cause {
            var losses: [String] = []
            for loss in cause.losses where !losses.contains(loss.kind) { losses.append(loss.kind) }
            causes.add(
                Cause(
                    fate: session.fate, app: session.app, text: cause.common, losses: losses, reason: cause.reason),
                session)
        }
        for screen in session.undrawn {
            clients.add(
                OutdatedClient(app: session.app, client: session.client.description, screen: screen), session.id)
        }
        for name in session.renewed { effects.add(RenewedEffect(app: session.app, name: name), session.id) }
        for need in session.changes {
            let change = DeclaredChange(app: session.app, name: need.change)
            let (count, example) = changes[change] ?? (0, nil)
            let isNeeded = need.isMissed || !need.unaware.isEmpty
            changes[change] = isNeeded ? (count + 1, example ?? session.id) : (count, example)
        }
    }

    /// Completes the report; throws `CommandFailure` if the other build fails.
    mutating func end() throws(CommandFailure) { try comparison?.end() }

    var sessions: Int { fates.values.reduce(0, +) }

    func count(_ fate: CheckedSession.Fate) -> Int { fates[fate, default: 0] }

    /// A Boolean value that indicates whether all sessions are unchanged, have the same state in both builds, and can
    /// be drawn.
    var isClean: Bool { count(.unchanged) == sessions && clients.isEmpty && comparison?.isClean ?? true }
}

/// Counts equal things, and stores the first example of each.
struct Tally<Thing: Hashable, Example> {
    private var found: [Thing: (count: Int, example: Example)] = [:]

    var isEmpty: Bool { found.isEmpty }

    mutating func add(_ thing: Thing, _ example: Example) { found[thing, default: (0, example)].count += 1 }

    /// Returns the things, the most frequent first; the examples determine the order of equally frequent things.
    func sorted(by isBefore: (Example, Example) -> Bool) -> [(thing: Thing, count: Int, example: Example)] {
        found.map { ($0.key, $0.value.count, $0.value.example) }.sorted { left, right in
            left.1 == right.1 ? isBefore(left.2, right.2) : left.1 > right.1
        }
    }
}

// MARK: Text

extension CheckReport {
    /// The maximum number of causes in the text; the JSON document has all causes.
    private static let shown = 20

    var lines: [String] {
        let causes = causes.sorted { $0.id < $1.id }
        var lines = [summary]
        for (cause, count, example) in causes.prefix(Self.shown) {
            lines += [Self.line(cause, count), "  such as \(Self.line(example))"]
        }
        if causes.count > Self.shown {
            lines.append("\(causes.count - Self.shown) rarer causes are left out; --as json lists all causes")
        }
        lines += clients.sorted { $0 < $1 }.map { client, count, _ in
            """
            \(client.app): the client \(client.client) cannot draw \(client.screen), which \(count) of its live sessions \
            would have shown
            """
        }
        lines += effects.sorted { $0 < $1 }.map { effect, count, example in
            """
            \(count) under way, \(effect.app): the effect "\(effect.name)" runs again with this build's value, because no \
            value is recorded; one example is \(example.text)
            """
        }
        lines += changes.sorted { $0.key < $1.key }.map { change, need in
            guard let example = need.example else {
                return
                    "\(change.app): no live session needs the code before the change \"\(change.name)\"; you can remove that code"
            }
            return """
                \(need.count) live, \(change.app): the code before the change "\(change.name)" is needed; one example is \
                \(example.text)
                """
        }
        return lines + (comparison?.lines(Self.shown) ?? [])
    }

    /// For example `2041 live sessions: 1989 unchanged, 37 resumed, 12 held`.
    private var summary: String {
        let counts = CheckedSession.Fate.allCases.filter { $0 == .unchanged || count($0) > 0 }
        return
            "\(sessions) live session\(sessions == 1 ? "" : "s"): \(counts.map { "\(count($0)) \(Self.word(for: $0))" }.joined(separator: ", "))"
    }

    private static func word(for fate: CheckedSession.Fate) -> String {
        switch fate {
        case .anew: "begun anew"
        case .untried: "not tried"
        default: fate.rawValue
        }
    }

    private static func line(_ cause: Cause, _ count: Int) -> String {
        let start = "\(count) \(word(for: cause.fate)), \(cause.app): \(cause.text)"
        let losses = cause.losses.joined(separator: ", ")
        switch cause.fate {
        case .resumed, .anew: return "\(start); that loses \(losses.isEmpty ? "navigation only" : losses)"
        case .ended: return losses.isEmpty ? start : "\(start); that loses \(losses)"
        default: return losses.isEmpty ? start : "\(start); that would lose \(losses)"
        }
    }

    private static func line(_ session: CheckedSession) -> String {
        let text = "\(session.id.text) at revision \(session.revision): \(session.cause?.text ?? "")"
        return switch session.cause?.resumesAfter {
        case let revision? where revision > 0: "\(text); resumed from revision \(revision)"
        default: text
        }
    }
}

// MARK: JSON

extension CheckReport {
    var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("sessions", sessions)
            writer.object("fates") { writer in
                for fate in CheckedSession.Fate.allCases { writer.member(fate.rawValue, count(fate)) }
            }
            writer.objects("causes", of: causes.sorted { $0.id < $1.id }) { writer, found in
                Self.write(found.thing, into: &writer)
                writer.member("sessions", found.count)
                writer.object("example") { writer in Self.write(found.example, into: &writer) }
            }
            writer.objects("clients", of: clients.sorted { $0 < $1 }) { writer, found in
                writer.member("app", found.thing.app)
                writer.member("client", found.thing.client)
                writer.member("screen", found.thing.screen.name)
                writer.member("version", found.thing.screen.version)
                writer.member("sessions", found.count)
                writer.member("example", found.example.text)
            }
            writer.objects("effects", of: effects.sorted { $0 < $1 }) { writer, found in
                writer.member("app", found.thing.app)
                writer.member("effect", found.thing.name)
                writer.member("count", found.count)
                writer.member("example", found.example.text)
            }
            writer.objects("changes", of: changes.sorted { $0.key < $1.key }) { writer, found in
                writer.member("app", found.key.app)
                writer.member("change", found.key.name)
                writer.member("sessions", found.value.count)
                if let example = found.value.example { writer.member("example", example.text) }
            }
            comparison?.write(into: &writer)
        }
    }

    private static func write(_ cause: Cause, into writer: inout JSONWriter) {
        writer.member("fate", cause.fate.rawValue)
        if let reason = cause.reason { writer.member("reason", reason.rawValue) }
        writer.member("app", cause.app)
        writer.member("cause", cause.text)
        writer.member("losses", cause.losses)
    }

    private static func write(_ session: CheckedSession, into writer: inout JSONWriter) {
        writer.member("session", session.id.text)
        writer.member("revision", session.revision)
        guard let cause = session.cause else { return }
        writer.member("cause", cause.text)
        if let revision = cause.revision { writer.member("differsAt", revision) }
        if let divergence = cause.divergence {
            writer.member("recorded", divergence.expected)
            writer.member("found", divergence.found)
        }
        if let revision = cause.resumesAfter { writer.member("resumesAfter", revision) }
        writer.member("losses", cause.losses.map(\.description))
    }
}
