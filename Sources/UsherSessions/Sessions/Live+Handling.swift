import Usher
import UsherJournal

extension Live {
    /// Handles an input.
    ///
    /// - Parameters:
    ///   - request: What the client asks.
    ///   - link: What is done with a link.
    ///   - lookup: When the request's key was looked up, and found to have no answer.
    func handle(_ request: InputRequest, link: LinkHandling, lookup: KeyLookup?) -> Turn<Snapshot> {
        if let key = request.key, keys.mayContain(key.text), !(lookup?.holds(for: self) ?? false) {
            return .known(KeyLookup(self))
        }
        guard request.precondition.holds(for: tree.revision) else {
            return .settled(settle(.failure(.preconditionFailed(current: snapshot()))))
        }
        if let excess { return .settled(settle(.failure(.rejected(excess, current: snapshot())))) }
        let identifiers = tree.identifiers
        let leaks = tree.leaks.count
        let input = Input(request.action, at: settings.clock.now(), link: link)
        do throws(Rejection) {
            let counts = try tree.handle(input)
            let snapshot = counted(input, counts, from: identifiers, leaksSince: leaks, key: request.key)
            return .settled(settle(.success(snapshot), isChange: counts || request.key != nil))
        } catch {
            guard tree.isBroken else { return .settled(settle(.failure(.rejected(error, current: snapshot())))) }
            return .undone(error)
        }
    }

    /// Puts an input that the tree has handled on record.
    private func counted(
        _ input: Input, _ counts: Bool, from identifiers: Identifiers, leaksSince leaks: Int, key: IdempotencyKey?
    ) -> Snapshot {
        let previous = head
        let erasable = tree.takeErasableRevisions()
        let entry = counts ? append(input, from: identifiers, erased: erasable.contains(tree.revision)) : nil
        let key = erasable.contains(tree.revision) ? key?.blind : key
        if key != nil { head.answers += 1 }
        let snapshot = snapshot(leaksSince: leaks)
        let answer = key.map { key in
            KeyedAnswer(
                key: key.text, fingerprint: key.fingerprint, revision: snapshot.revision, body: snapshot.state)
        }
        if let answer { keys.add(answer.key) }
        if let ending = tree.ending {
            head = head.ended(.init(ending.reason), at: input.time)
            submit(.end(head, answer: answer))
        } else if let entry {
            submit(.append(head, entry: entry, answer: answer))
        } else if let answer {
            submit(.keep(head, answer: answer))
        } else {
            head = previous
        }
        erase(erasable.filter { $0 != tree.revision })
        tally()
        return snapshot
    }

    /// Lets the journal forget secrets that replay can do without.
    ///
    /// - Parameter revisions: The inputs that brought them.
    func erase(_ revisions: [Int]) {
        guard tree.ending == nil else { return }
        for revision in revisions { submit(.erase(revision: revision)) }
    }

    /// The next entry's bytes, with the head moved on.
    private func append(_ input: Input, from identifiers: Identifiers, erased isErased: Bool) -> [UInt8] {
        let payload = input.payload(tree.inputSecrets)
        let entry = Entry(
            input.entryKind, revision: tree.revision, time: input.time.milliseconds, before: .init(identifiers),
            after: .init(tree.identifiers), digest: tree.digest, visible: tree.visibleScreen, payload: payload.json,
            secrets: payload.secrets)
        let bytes = (isErased ? entry.erased : entry).bytes(of: id.journalKey)
        head.revision = entry.revision
        head.time = entry.time
        head.bytes += bytes.count
        return bytes
    }
}
