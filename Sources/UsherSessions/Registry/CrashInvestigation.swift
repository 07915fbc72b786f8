import Usher
import UsherJSON
import UsherJournal
package import UsherProcess

/// The investigation of a crash: what was in flight is held, tried in children, and then refused or let go on.
///
/// All other sessions are served meanwhile.
package struct CrashInvestigation: Sendable {
    /// A session or a creation with all of its that was in flight.
    private struct Case {
        let subject: TrialHolds.Subject
        var marks: [(mark: FlightMark, incident: Int)] = []
    }

    private let registry: SessionRegistry
    private let cases: [Case]
    /// The effects that were at work at the crash, each once.
    private let effects: [FlightMark]

    private var settings: SessionSettings { registry.settings }

    /// Holds what was in flight, and tells of it: to be made before anything is served.
    ///
    /// - Parameters:
    ///   - marks: What a dead process has left.
    ///   - registry: The sessions.
    package init(of marks: [FlightMark], in registry: SessionRegistry) {
        var cases: [Case] = []
        registry.settings.effectCrashes.add(marks)
        let atWork = marks.filter { $0.kind == .effect && $0.note == nil }
        for mark in atWork { registry.settings.noteEffect(mark) }
        effects = FlightMark.effects(among: atWork)
        for mark in marks where mark.kind != .effect {
            let subject = TrialHolds.Subject(mark)
            let incident = registry.settings.note(mark)
            if let index = cases.firstIndex(where: { $0.subject == subject }) {
                cases[index].marks.append((mark, incident))
            } else {
                cases.append(Case(subject: subject, marks: [(mark, incident)]))
            }
        }
        self.registry = registry
        self.cases = cases
        for held in cases { registry.settings.holds.hold(held.subject) }
    }

    /// Tries all, as many at once as the runner of trials has room for.
    ///
    /// - Parameter release: Is told of each mark that has been dealt with.
    package func run(_ release: @escaping @Sendable (FlightMark) -> Void) async {
        await settings.tellPeers(of: effects)
        guard !cases.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            for held in cases {
                group.addTask {
                    for (mark, incident) in held.marks {
                        let verdict = await verdict(on: mark, incident)
                        if case .untried = verdict { settings.suspect(mark) }
                        settings.note(verdict, on: mark, incident)
                        release(mark)
                    }
                    settings.holds.release(held.subject)
                }
            }
        }
        // Timers and results have waited too.
        try? await registry.wakeDue()
    }

    private func verdict(on mark: FlightMark, _ incident: Int) async -> CrashIncident.Verdict {
        guard let runner = settings.guilty.runner else { return .untried("this server makes no trials") }
        guard !mark.isCut else { return .untried("the flight record had no room for all of it") }
        do {
            guard let trial = try await trial(of: mark) else { return .untried("its session has ended") }
            settings.incidents.change(incident) { $0.screen = trial.visibleScreen }
            switch await runner.verdict(on: trial) {
            case .survives: return .survives
            case .untried(let reason): return .untried(reason)
            case .crashes(let crash):
                settings.incidents.change(incident) { $0.crash = crash }
                try await settings.condemn(trial, for: crash, of: incident)
                return .guilty
            }
        } catch {
            return .untried("\(error)")
        }
    }

    /// The trial of what was in flight; nil where there is no such session any more.
    ///
    /// - Throws: `SessionError`, `JSONError`, `LostBase`.
    private func trial(of mark: FlightMark) async throws -> Trial? {
        let input = try mark.input
        if mark.kind == .creation, let input { return Trial(creating: input, of: mark.app) }
        let replay: Trial?
        do throws(SessionError) {
            // An input that is durable by now is a part of the replay.
            if let input, let trial = try await settings.trial(of: mark.id, input) { return trial }
            replay = try await settings.trial(of: mark.id, nil)
        } catch {
            switch error {
            case .unknown, .ended: return nil
            default: throw error
            }
        }
        guard input == nil || replay?.record.map({ $0.head.revision >= mark.revision }) ?? true else {
            throw LostBase()
        }
        return replay
    }
}

/// The reason why an input is not tried before it comes again: the session never got where it came upon it.
private struct LostBase: Error, CustomStringConvertible {
    var description: String { "the revision that it came upon has not become durable" }
}

extension SessionSettings {
    /// Adds a mark that a dead process has left to the incidents, and tells of it.
    fileprivate func note(_ mark: FlightMark) -> Int {
        let incident = CrashIncident(mark, at: clock.now(), build: guilty.build())
        observe(.crashed(incident))
        return incidents.add(incident)
    }

    /// Tells of an effect that was at work at the last crash, and of what becomes of it.
    fileprivate func noteEffect(_ mark: FlightMark) {
        let isRefused = effectCrashes.count(of: mark) >= EffectCrashes.limit
        note(isRefused ? .guilty : .untried("an effect is begun once more, and not tried"), on: mark, note(mark))
    }

    /// Counts the crash for the effects that were at work at it, on all servers; one that cannot be counted costs another.
    fileprivate func tellPeers(of effects: [FlightMark]) async {
        guard let peers else { return }
        for mark in effects {
            guard let effect = EffectID(String(decoding: mark.payload, as: UTF8.self)) else { continue }
            try? await peers.countCrash(of: WorkPiece(effect), in: mark.id.journalKey)
        }
    }

    /// Has what was in flight and could not be tried tried when it comes again, instead of another crash.
    fileprivate func suspect(_ mark: FlightMark) {
        if let identity = mark.identity { guilty.suspect(identity) }
    }

    fileprivate func note(_ verdict: CrashIncident.Verdict, on mark: FlightMark, _ number: Int) {
        incidents.change(number) { $0.verdict = verdict }
        observe(.judged(mark.kind == .creation ? nil : mark.id, revision: mark.revision, verdict))
    }
}

extension Trial {
    /// The name of the screen that the session shows.
    fileprivate var visibleScreen: String {
        String(record?.entries.last?.visible.prefix { $0 != " " } ?? "")
    }
}

extension TrialHolds.Subject {
    /// The part of a server that is held for a mark.
    init(_ mark: FlightMark) {
        if mark.kind == .creation, let identity = try? GuiltyInput.Identity(creation: mark.payload) {
            self = .creation(identity)
        } else {
            self = .session(mark.id)
        }
    }
}

extension FlightMark {
    /// The session.
    fileprivate var id: SessionID { SessionID(JournalKey(high: session.high, low: session.low)) }

    /// The input as the journal would have it; nil where no input was in flight.
    fileprivate var input: TrialInput? {
        get throws {
            let time = Timestamp(milliseconds: time)
            switch kind {
            case .creation: return TrialInput(.creation, upon: 0, payload: payload, time: time)
            case .replay, .look, .end, .effect: return nil
            case .input, .result, .timer:
                let input = try Input(entry)
                return TrialInput(
                    input.content.guiltyKind, upon: revision, payload: input.content.payload, time: time,
                    link: input.link)
            }
        }
    }

    /// The features by which it is known when it comes again; nil for a look, an end and an effect, and for what is cut.
    fileprivate var identity: GuiltyInput.Identity? {
        switch kind {
        case .creation: try? GuiltyInput.Identity(creation: payload)
        case .replay: .replay(of: id.journalKey, at: revision)
        case .look, .end, .effect: nil
        case .input, .result, .timer: try? Input(entry).content.identity(in: id, upon: revision)
        }
    }

    private var entry: Entry {
        let identifiers = Entry.FreeIdentifiers(screen: 1, coordinator: 1)
        return Entry(
            Entry.Kind(rawValue: entryKind) ?? .input, revision: revision + 1, time: self.time, before: identifiers,
            after: identifiers, digest: 0, payload: payload)
    }

    /// The input in words, without its payload.
    fileprivate var summary: String {
        switch kind {
        case .input, .result, .timer: (try? Input(entry))?.summary ?? "\(kind)"
        case .creation, .replay, .look, .end: "\(kind)"
        case .effect: "effect \(String(decoding: payload, as: UTF8.self))"
        }
    }
}

extension CrashIncident {
    fileprivate init(_ mark: FlightMark, at time: Timestamp, build: UInt64) {
        let kind: Kind =
            switch mark.note {
            case .overtime: .overtime
            case .memory: .memory
            case .crashes, nil: .crash
            }
        self.init(
            kind: kind, time: time.milliseconds, session: mark.kind == .creation ? nil : mark.id, app: mark.app,
            event: mark.summary, revision: mark.revision, thread: mark.thread, stack: mark.stack, verdict: .pending,
            build: build)
    }
}
