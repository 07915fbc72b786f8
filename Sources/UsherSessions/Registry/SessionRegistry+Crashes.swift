import Usher
import UsherJSON
package import UsherJournal
package import UsherProcess

extension SessionRegistry {
    /// Learns from what a dead process has left: to be awaited before anything is served.
    ///
    /// An input whose thread has died is guilty at once, and nothing is kept of what else was in flight. A creation, a look,
    /// an end or a replay at which a thread has died is suspect, because a verdict on it would be one on every opening alike,
    /// or on a whole session. What the watchdog has noted is suspect, because a thread that waits for another one's lock takes
    /// too long as well. If nothing was noted, somebody else has ended the process, or the system for memory: then all that
    /// was in flight is suspect.
    ///
    /// - Parameter marks: The marks in the flight record.
    package func recover(from marks: [FlightMark]) async {
        let (dead, noted) = (marks.filter(\.isDead), marks.filter { $0.note != nil })
        var effects: Set<GuiltyInput.Identity> = []
        // An effect that runs again is a suspect for nobody, so one that was only in flight counts no crash.
        for mark in !dead.isEmpty ? dead : !noted.isEmpty ? noted : marks.filter({ $0.kind != .effect }) {
            // Several threads may have been at work for one effect.
            if let effect = mark.effect, !effects.insert(effect).inserted { continue }
            guard let input = await settings.input(of: mark) else { continue }
            if input.isCulprit, await settings.condemn(input.guilty) == nil { continue }
            // The journal has not taken the crash of an effect: it counts here.
            if mark.kind == .effect {
                settings.guilty.add(input.guilty)
            } else {
                settings.guilty.suspect(input.guilty)
            }
            settings.observe(.suspected(input.guilty))
        }
    }

    /// The newest crashes, the newest first: guilty inputs of all builds and servers, and the suspects of this server.
    ///
    /// - Returns: Each with a Boolean value indicating whether this build refuses it.
    /// - Throws: `SessionError`.
    package func incidents() async throws(SessionError) -> [(input: GuiltyInput, isRefused: Bool)] {
        let guilty = try await settings.ask { journal throws(JournalError) in try await journal.guiltyInputs() }
        let incidents =
            guilty.map { (input: $0, isRefused: settings.guilty.refuses($0)) }
            + settings.guilty.suspects.map { (input: $0, isRefused: false) }
        return Array(incidents.sorted { $0.input.time < $1.input.time }.suffix(Self.incidentLimit).reversed())
    }

    private static let incidentLimit = 256

    /// The entry at which a session is known to end the process of this build when it is replayed.
    ///
    /// - Parameter id: The key to the session.
    package func replayCrash(of id: SessionID) -> GuiltyInput? { settings.guilty.replay(of: id.journalKey) }

    /// Takes a session whose replay ends the process back to an earlier revision, and goes on from there.
    ///
    /// Later entries stay in its record, and are not replayed any more; ids and revisions go on behind them.
    ///
    /// - Parameters:
    ///   - id: The key to the session.
    ///   - revision: A revision before the one at which it crashes.
    /// - Returns: The state there.
    /// - Throws: `SessionError`, `noRevision` if the session works, or has no such revision; `onHold` if this build
    ///   cannot even begin it, so that no earlier revision helps.
    package func rollBack(_ id: SessionID, to revision: Int) async throws(SessionError) -> Snapshot {
        let entries = try await entries(of: id)
        let first = entries.first?.revision ?? 1
        // Of a session that has started over since, the guilty entry is gone.
        guard let crash = settings.guilty.replay(of: id.journalKey), crash.identity.revision >= first else {
            _ = try await snapshot(of: id)
            throw .noRevision("the session can be replayed; fork it to go on from an earlier revision")
        }
        let last = min(crash.identity.revision - 1, entries.last?.revision ?? 0)
        guard last >= first else {
            throw .noRevision("this session's opening ends the process, and nothing is before that; end it with DELETE")
        }
        guard (first...last).contains(revision) else {
            throw .noRevision("this session can be taken back to a revision from \(first) to \(last)")
        }
        return try await with(id) { session throws(SessionError) in try await session.rollBack(to: revision) }
    }

    /// Judges a creation before its app's code runs.
    ///
    /// - Throws: `SessionError.inputCrashes`, `notTried`, `notRecorded`.
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

    /// Lets the journal forget guilty inputs of builds that were replaced a week ago.
    func forgetForeignInputs(at now: Timestamp) async throws(JournalError) {
        guard let selection = settings.guilty.foreign(by: now.milliseconds) else { return }
        try await settings.journal.forget(selection)
        settings.guilty.noteForeignGone()
    }
}

extension SessionSettings {
    /// The input of a mark that a dead process has left.
    ///
    /// - Returns: The input, and whether it has ended the process for sure; nil if it cannot come again.
    fileprivate func input(of mark: FlightMark) async -> (guilty: GuiltyInput, isCulprit: Bool)? {
        let crash = Crash(mark)
        // Without isolated runs nobody would find out.
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
            // An input that is durable by now is a part of the replay.
            if revision > mark.revision { return found(.replay(of: id.journalKey, at: 0), site, isCulprit: false) }
            guard !mark.isCut, let content = mark.content else { return nil }
            // It may have come upon a revision that has not become durable, or upon a resumption that is not written.
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
    /// The identity of the effect that was at work; nil for anything else.
    fileprivate var effect: GuiltyInput.Identity? {
        guard kind == .effect, let effect = EffectID(String(decoding: payload, as: UTF8.self)) else { return nil }
        return .effect(effect, of: SessionID(JournalKey(high: session.high, low: session.low)))
    }

    /// The input as the journal would have it; nil if it cannot be read.
    fileprivate var content: InputContent? {
        let kind = Entry.Kind(rawValue: entryKind) ?? .input
        return (try? Input(Entry(payload, kind, upon: revision, at: time)))?.content
    }
}
