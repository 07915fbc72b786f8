import Usher
import UsherJSON
import UsherJournal

extension Live {
    /// Handles what a user did.
    ///
    /// - Parameters:
    ///   - request: What the client asks.
    ///   - link: What is done with a link.
    ///   - lookup: When the request's key was looked up, and found to have no answer.
    func handle(_ request: InputRequest, link: LinkHandling, lookup: KeyLookup?) -> Turn<Handled> {
        if let key = request.key, keys.mayContain(key.text), !(lookup?.holds(for: self) ?? false) {
            return .known(KeyLookup(self))
        }
        guard request.precondition.holds(for: tree.revision) else {
            return .settled(settle(.failure(.preconditionFailed(current: snapshot()))))
        }
        if let excess { return .settled(settle(.failure(.rejected(excess, current: snapshot())))) }
        let input = Input(request.content, at: settings.clock.now(), link: link)
        return accept(input, key: request.key, waits: request.wait != nil)
    }

    /// Handles what came from elsewhere than a user: a result, a timer, a message.
    func feed(_ content: InputContent, link: LinkHandling) -> Turn<Handled> {
        var content = content
        if let excess {
            // What has begun must come to its end also where nothing new may begin: there are not many of these.
            guard let refused = content.refused(excess.reason) else {
                return .settled(settle(.failure(.rejected(excess, current: snapshot()))))
            }
            content = refused
        }
        return accept(Input(content, at: settings.clock.now(), link: link), key: nil, waits: false)
    }

    private func accept(_ input: Input, key: IdempotencyKey?, waits: Bool) -> Turn<Handled> {
        let before = Before(identifiers: tree.identifiers, leaks: tree.leaks.count)
        do throws(Rejection) {
            let counts = try tree.handle(input)
            let handled = record(input, counts, since: before, key: key, waits: waits)
            return .settled(settle(.success(handled), isChange: counts || key != nil))
        } catch {
            guard tree.isBroken else { return .settled(settle(.failure(.rejected(error, current: snapshot())))) }
            return .undone(error)
        }
    }

    /// How the tree stood before an input.
    private struct Before {
        let identifiers: NextIdentifiers
        let leaks: Int
    }

    /// Puts an input that the tree has handled on record.
    private func record(
        _ input: Input, _ counts: Bool, since before: Before, key: IdempotencyKey?, waits: Bool
    ) -> Handled {
        let erasable = tree.takeErasableRevisions()
        let isErased = erasable.contains(tree.revision)
        var writer = JSONWriter(reservingCapacity: tree.stateBytes + 512)
        let entry = counts ? append(input, from: before.identifiers, erased: isErased, with: &writer) : nil
        let key = isErased ? key?.blind : key
        let finished = counts ? follow(input) : []
        let token = counts && waits ? wait(key: key) : nil
        let snapshot = snapshot(leaksSince: before.leaks, into: &writer)
        submit(entry, keep(key?.answer(snapshot, isComplete: token == nil)), at: input.time)
        erase(erasable.filter { $0 != tree.revision })
        for wait in finished { wait.end(settle(.success(self.snapshot(changes: wait.changes)))) }
        if counts { show(snapshot) }
        tally()
        let isBusy = ongoing.isBusy || !tree.work.isEmpty
        return Handled(snapshot: snapshot, token: token, isBusy: isBusy, outcome: counts ? .accepted : .repeated)
    }

    private func submit(_ entry: [UInt8]?, _ answer: KeyedAnswer?, at time: Timestamp) {
        if let ending = tree.ending {
            head = head.ended(.init(ending.reason), at: time)
            submit(.end(head, answer: answer))
        } else if let entry {
            submit(.append(head, entry: entry, answer: answer))
        } else if let answer {
            submit(.keep(head, answer: answer))
        }
    }

    /// Counts an answer that is kept.
    private func keep(_ answer: KeyedAnswer?) -> KeyedAnswer? {
        guard let answer else { return nil }
        head.answers += 1
        keys.add(answer.key)
        return answer
    }

    /// Lets the journal forget secrets that replay can do without.
    ///
    /// - Parameter revisions: The inputs that brought them.
    func erase(_ revisions: [Int]) {
        guard tree.ending == nil else { return }
        for revision in revisions { submit(.erase(revision: revision)) }
    }

    /// The next entry's bytes, with the head moved on.
    ///
    /// - Parameter writer: What the answer is made in afterwards; until then it has room for the payload.
    private func append(
        _ input: Input, from identifiers: NextIdentifiers, erased isErased: Bool, with writer: inout JSONWriter
    ) -> [UInt8] {
        let secrets = input.writePayload(tree.inputSecrets, into: &writer)
        defer { writer.bytes.removeAll(keepingCapacity: true) }
        let entry = Entry(
            input.entryKind, revision: tree.revision, time: input.time.milliseconds, before: .init(identifiers),
            after: .init(tree.identifiers), digest: tree.digest, visible: tree.visibleScreen, payload: writer.bytes,
            secrets: secrets)
        let bytes = (isErased ? entry.erased : entry).bytes(of: id.journalKey)
        head.revision = entry.revision
        head.time = entry.time
        head.bytes += bytes.count
        head.wakeAt = wakeAt
        return bytes
    }
}
