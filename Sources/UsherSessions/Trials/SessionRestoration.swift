package import Usher
import UsherJSON

/// The restoration of a session by a build.
package enum SessionRestoration: Equatable, Sendable {
    /// It is as it was.
    case restored
    /// This build handles one of its inputs differently.
    case diverges(Divergence)
    /// This build cannot begin it; the cause is for an operator.
    case unavailable(cause: String)
}

extension SessionRestoration {
    /// Appends the members of an object that tell of it.
    func write(into writer: inout JSONWriter) {
        switch self {
        case .restored:
            writer.key("restored")
            writer.boolean(true)
        case .diverges(let divergence):
            writer.key("diverges")
            writer.integer(divergence.revision)
            for (name, text) in [
                ("input", divergence.input), ("expected", divergence.expected), ("found", divergence.found),
            ] {
                writer.key(name)
                writer.string(text)
            }
        case .unavailable(let cause):
            writer.key("unavailable")
            writer.string(cause)
        }
    }

    /// Reads the members of an object; nil where none of them tells of a restoration.
    init?(_ line: JSONValue) {
        if let revision = line[member: "diverges"]?.integer, let input = line[member: "input"]?.string,
            let expected = line[member: "expected"]?.string, let found = line[member: "found"]?.string
        {
            self = .diverges(Divergence(revision: revision, input: input, expected: expected, found: found))
        } else if let cause = line[member: "unavailable"]?.string {
            self = .unavailable(cause: cause)
        } else if line[member: "restored"] != nil {
            self = .restored
        } else {
            return nil
        }
    }
}

/// The end of a trial: the session's restoration, and what this build has shown meanwhile that its client cannot draw.
package struct TrialEnding: Equatable, Sendable {
    /// The restoration of the session.
    package let restoration: SessionRestoration
    /// The screens that its client could not draw, each once.
    package let undrawn: [UndrawableScreen]

    /// A session that is as it was, and whose client can draw all of it.
    package static let restored = TrialEnding(.restored)

    /// Makes an end.
    ///
    /// - Parameters:
    ///   - restoration: The restoration of the session.
    ///   - undrawn: The screens that its client could not draw.
    package init(_ restoration: SessionRestoration, undrawn: [UndrawableScreen] = []) {
        self.restoration = restoration
        self.undrawn = undrawn
    }
}

extension TrialEnding {
    /// The end as one line of JSON, in which a child process tells of it.
    package var json: String {
        var writer = JSONWriter()
        writer.beginObject()
        restoration.write(into: &writer)
        if !undrawn.isEmpty {
            writer.key("undrawn")
            writer.beginArray()
            for screen in undrawn { screen.write(into: &writer) }
            writer.endArray()
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Reads a line.
    ///
    /// - Parameter json: A line that `json` once was; nil for anything else.
    package init?(json: some StringProtocol) {
        guard let line = try? JSONDocument(parsing: Array(json.utf8)).root,
            let restoration = SessionRestoration(line)
        else { return nil }
        self.init(restoration, undrawn: line[member: "undrawn"]?.elements.compactMap { UndrawableScreen($0) } ?? [])
    }
}

extension UndrawableScreen {
    /// Reads one; nil for another shape.
    init?(_ json: JSONValue) {
        guard let name = json[member: "screen"]?.string, let version = json[member: "version"]?.integer else {
            return nil
        }
        self.init(name: name, version: version)
    }

    /// Appends it as one object.
    func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("screen", name)
        writer.member("version", version)
        writer.endObject()
    }
}

/// The finding of a trial.
package enum TrialFinding: Equatable, Sendable {
    /// It came to its end.
    case ended(TrialEnding)
    /// The process died that made it.
    case crashes(Crash)
    /// Nothing is known; one sentence for the log.
    case untried(reason: String)

    /// The verdict on what was tried.
    package var verdict: TrialVerdict {
        switch self {
        case .ended: .survives
        case .crashes(let crash): .crashes(crash)
        case .untried(let reason): .untried(reason: reason)
        }
    }
}

/// A place where trials are made: this process, or children of it.
package protocol TrialPlace: Sendable {
    /// The number of trials that it makes at the same time.
    var width: Int { get }

    /// Makes trials, one after the other.
    ///
    /// - Returns: A finding for each.
    func findings(of trials: [Trial]) async -> [TrialFinding]
}

extension TrialPlace {
    /// Makes a trial.
    package func finding(of trial: Trial) async -> TrialFinding {
        await findings(of: [trial]).first ?? .untried(reason: "there was no trial")
    }
}

/// This process as the place of trials: what dies there takes it along.
package struct TrialsInProcess: TrialPlace {
    private let apps: [any App.Type]

    /// Makes a place.
    ///
    /// - Parameter apps: The apps of this build.
    package init(apps: [any App.Type]) {
        self.apps = apps
    }

    /// One at a time.
    package var width: Int { 1 }

    /// Makes them all here.
    package func findings(of trials: [Trial]) async -> [TrialFinding] {
        var findings: [TrialFinding] = []
        for trial in trials { findings.append(.ended(await TrialRun(trial, apps: apps).ending())) }
        return findings
    }
}
