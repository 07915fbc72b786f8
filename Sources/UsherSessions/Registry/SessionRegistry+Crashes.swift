import Usher
import UsherJSON
package import UsherJournal
package import UsherProcess

extension SessionRegistry {
    /// Evaluates the flight record's marks that a dead process left; must be awaited before the server serves requests.
    ///
    /// In each thread's mark, `SessionFlight` stores which code of the app the thread runs. `CrashHandler` or
    /// `Watchdog` adds the cause of death, the note. `FlightControl` reads the marks at the next start, and
    /// `Server.init` passes the marks to this function.
    ///
    /// If a thread has died, only this thread's mark is evaluated, and the input in the mark is guilty at once. A
    /// creation, a read, an end or a replay is only suspect: if it were guilty, the server would refuse all equal
    /// openings, or a whole session. If no thread has died, the inputs in the marks with a note of the watchdog are
    /// suspect, because such a thread may only have waited for a lock of another thread. If no mark has a note, the
    /// process was ended from outside, and all inputs that were running are suspect.
    ///
    /// - Parameter marks: The marks in the flight record.
    package func recover(from marks: [FlightMark]) async {
        let (dead, noted) = (marks.filter(\.isDead), marks.filter { $0.note != nil })
        var effects: Set<GuiltyInput.Identity> = []
        // If no thread has died and no mark has a note, effects are not evaluated: an effect cannot run isolated.
        for mark in !dead.isEmpty ? dead : !noted.isEmpty ? noted : marks.filter({ $0.kind != .effect }) {
            // An effect is evaluated only once, even if several threads ran its code.
            if let effect = mark.effect, !effects.insert(effect).inserted { continue }
            guard let input = await settings.input(of: mark) else { continue }
            if input.isCulprit, await settings.condemn(input.guilty) == nil { continue }
            // If the journal cannot record the crash of an effect, only this server's memory counts the crash.
            if mark.kind == .effect {
                settings.guilty.add(input.guilty)
            } else {
                settings.guilty.suspect(input.guilty)
            }
            settings.observe(.suspected(input.guilty))
        }
    }

    /// Returns the guilty inputs of all builds and servers and this server's suspects, newest first.
    ///
    /// - Returns: Each input, with a Boolean value that indicates whether this build refuses the input.
    /// - Throws: `SessionError`.
    package func incidents() async throws(SessionError) -> [(input: GuiltyInput, isRefused: Bool)] {
        let guilty = try await settings.ask(await settings.journal.guiltyInputs())
        let incidents =
            guilty.map { (input: $0, isRefused: settings.guilty.refuses($0)) }
            + settings.guilty.suspects.map { (input: $0, isRefused: false) }
        return Array(incidents.sorted { $0.input.time < $1.input.time }.suffix(Self.incidentLimit).reversed())
    }

    private static let incidentLimit = 256

    /// Returns the guilty input for a session's replay, if the replay is known to crash this build.
    package func replayCrash(of id: SessionID) -> GuiltyInput? { settings.guilty.replay(of: id.journalKey) }

    /// Rolls back a session whose replay crashes the process, so that the session continues from an earlier revision.
    ///
    /// The entries after that revision stay in the record, but are not replayed again. New ids and revisions are
    /// greater than all those in the record.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - revision: A revision before the one at which the replay crashes.
    /// - Returns: The state at that revision.
    /// - Throws: `SessionError`; `noRevision` if the session can be replayed, or has no such revision; `onHold` if this
    ///   build cannot even replay the session's creation.
    package func rollBack(_ id: SessionID, to revision: Int) async throws(SessionError) -> Snapshot {
        let entries = try await entries(of: id)
        let first = entries.first?.revision ?? 1
        // If the session has started over since the crash, the guilty entry no longer exists.
        guard let crash = settings.guilty.replay(of: id.journalKey), crash.identity.revision >= first else {
            _ = try await snapshot(of: id)
            throw .noRevision("the session can be replayed; fork it to continue from an earlier revision")
        }
        let last = min(crash.identity.revision - 1, entries.last?.revision ?? 0)
        guard last >= first else {
            throw .noRevision(
                "this session's opening ends the process, so there is no earlier revision; end the session with DELETE")
        }
        guard (first...last).contains(revision) else {
            throw .noRevision("this session can be rolled back to a revision from \(first) to \(last)")
        }
        return try await with(id) { session throws(SessionError) in try await session.rollBack(to: revision) }
    }

    /// Checks whether a creation is guilty or suspect, before the app's code runs; runs a suspect creation isolated.
    ///
    /// - Throws: `SessionError.inputCrashes`, `notTried` or `notRecorded`.
    func judge(_ creation: Creation) async throws(SessionError) {
        let payload = creation.payload(SecretPlaces()).json
        guard let identity = try? GuiltyInput.Identity(creation: payload) else { return }
        switch settings.guilty.judgement(on: identity, in: nil, at: .creation(of: creation.app.name)) {
        case .free: return
        case .guilty(let input): throw .inputCrashes(input, current: nil)
        case .suspect:
            let entry = Entry(payload, .creation, upon: 0, at: creation.time.milliseconds)
            if let guilty = try await settings.run(IsolatedRun(creating: entry, of: creation.app.name), for: identity) {
                throw .inputCrashes(guilty, current: nil)
            }
        }
    }
}

extension SessionSettings {
    /// Returns the input of a mark that a dead process left; `nil` if the input cannot come again.
    ///
    /// `isCulprit` is `true` if the input certainly crashed the process.
    fileprivate func input(of mark: FlightMark) async -> (guilty: GuiltyInput, isCulprit: Bool)? {
        let crash = Crash(mark)
        // Without a runner, a suspect could never be cleared, so everything that a dead thread ran counts as guilty.
        let isSure = mark.isDead && guilty.runner == nil
        func found(
            _ identity: GuiltyInput.Identity, _ site: GuiltyInput.Site, isCulprit: Bool
        ) -> (guilty: GuiltyInput, isCulprit: Bool) {
            let cause = crash.map { "\($0)" } ?? "the process was ended from outside"
            let input = GuiltyInput(
                identity, at: site, build: guilty.build(), time: clock.now().milliseconds, crash: cause)
            return (input, isCulprit)
        }
        if let effect = mark.effect {
            let name = String(decoding: mark.payload, as: UTF8.self)
            return found(effect, .init(app: mark.app, screen: "", event: "effect \(name)"), isCulprit: true)
        }
        if mark.kind == .creation {
            return (try? GuiltyInput.Identity(creation: mark.payload)).map {
                found($0, .creation(of: mark.app), isCulprit: isSure)
            }
        }
        let id = SessionID(JournalKey(high: mark.session.high, low: mark.session.low))
        let site = GuiltyInput.Site.replay(of: mark.app)
        do throws(SessionError) {
            let record = try await liveRecord(of: id)
            let revision = record.head.revision
            if mark.kind == .replay || mark.kind == .look || mark.kind == .end {
                let last = mark.kind == .replay ? mark.revision : revision
                return found(.replay(of: id.journalKey, at: last), site, isCulprit: isSure)
            }
            // The input has become durable, so the session's replay now includes the input.
            if revision > mark.revision { return found(.replay(of: id.journalKey, at: 0), site, isCulprit: false) }
            guard !mark.isCut, let content = mark.content else { return nil }
            // If the input followed a revision that was not durable, or a resumption that was not written, the record
            // may be at another revision than the mark.
            return found(
                content.identity(in: id, upon: mark.revision),
                content.site(in: mark.app, visible: record.entries.last?.visible ?? ""),
                isCulprit: isSure || mark.isDead && revision == mark.revision)
        } catch {
            switch error {
            case .unknown, .ended: return nil
            default: return found(.replay(of: id.journalKey, at: 0), site, isCulprit: false)
            }
        }
    }
}

extension FlightMark {
    fileprivate var effect: GuiltyInput.Identity? {
        guard kind == .effect, let effect = EffectID(String(decoding: payload, as: UTF8.self)) else { return nil }
        return .effect(effect, of: SessionID(JournalKey(high: session.high, low: session.low)))
    }

    fileprivate var content: InputContent? {
        let kind = Entry.Kind(rawValue: entryKind) ?? .input
        return (try? Input(Entry(payload, kind, upon: revision, at: time)))?.content
    }
}
