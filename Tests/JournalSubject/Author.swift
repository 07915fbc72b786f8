package import UsherJournal

/// A session that writes changes as a tree does: each change builds on the previous one.
package struct Author {
    package let key: JournalKey
    package let tail: AuthorTail
    package private(set) var head = SessionHeader(app: "notes", created: 1_000, revision: 0, time: 1_000, bytes: 0)

    /// - Parameters:
    ///   - app: The name of the app.
    ///   - created: The time when the session is opened.
    ///   - access: The tokens of the session.
    package init(
        _ number: UInt64, app: String = "notes", created: Int64 = 1_000, access: SessionAccess? = nil
    ) {
        // Spreads the number over all bits, because keys are random.
        self.init(JournalKey(high: number &* 0x9E37_79B9_7F4A_7C15, low: number), at: AuthorTail())
        head = SessionHeader(app: app, created: created, revision: 0, time: created, bytes: 0, access: access)
    }

    package mutating func create(at time: Int64 = 1_000, opening: KeyedAnswer? = nil) -> AuthoredChange {
        let entry = next(.creation, at: time, payload: "{\"app\":\"notes\"}", secret: nil)
        return AuthoredChange(.create(head, entries: [entry], opening: opening), of: key, at: tail)
    }

    package mutating func append(
        _ payload: String = "{\"event\":\"open\"}", at time: Int64 = 2_000, secret: Range<Int>? = nil,
        answerUnder idempotencyKey: String? = nil
    ) -> AuthoredChange {
        let entry = next(.input, at: time, payload: payload, secret: secret)
        let answer: KeyedAnswer? = self.answer(under: idempotencyKey)
        return AuthoredChange(.append(head, entry: entry, answer: answer), of: key, at: tail)
    }

    /// Several entries in one change.
    package mutating func extend(
        by payloads: [String], at time: Int64 = 2_000, secret: Range<Int>? = nil,
        answerUnder idempotencyKey: String? = nil
    ) -> AuthoredChange {
        let entries = payloads.map { next(.input, at: time, payload: $0, secret: secret) }
        let answer: KeyedAnswer? = self.answer(under: idempotencyKey)
        return AuthoredChange(.extend(head, entries: entries, answer: answer), of: key, at: tail)
    }

    /// Starts the session's history over.
    package mutating func startOver(
        at time: Int64 = 2_000, answerUnder idempotencyKey: String? = nil, secret: Range<Int>? = nil
    ) -> AuthoredChange {
        head.bytes = 0
        let entry = next(.creation, at: time, payload: "{\"app\":\"notes\"}", secret: secret)
        head.history.start = head.revision
        let answer: KeyedAnswer? = self.answer(under: idempotencyKey)
        return AuthoredChange(.startOver(head, entry: entry, answer: answer), of: key, at: tail)
    }

    package mutating func keep(under idempotencyKey: String) -> AuthoredChange {
        let answer: KeyedAnswer = self.answer(under: idempotencyKey)
        return AuthoredChange(.keep(head, answer: answer), of: key, at: tail)
    }

    package mutating func end(
        at time: Int64 = 3_000, answerUnder idempotencyKey: String? = nil, untouchedSince use: Int64? = nil,
        telling details: String = ""
    ) -> AuthoredChange {
        let answer: KeyedAnswer? = self.answer(under: idempotencyKey)
        head.ending = SessionHeader.End(reason: "finished", time: time, details: Array(details.utf8))
        return AuthoredChange(.end(head, answer: answer, untouchedSince: use), of: key, at: tail)
    }

    /// Replaces the tokens of the session.
    package mutating func grant(_ access: SessionAccess) -> AuthoredChange {
        head.access = access
        return AuthoredChange(.grant(head), of: key, at: tail)
    }

    /// Sets the number of leaks that the next entry records.
    package mutating func leak(_ count: Int) { head.leaked = count }

    /// Sets the time at which the session has work, which the next entry records.
    package mutating func rest(until time: Int64?) { head.wakeAt = time }

    package func erase(_ revision: Int) -> AuthoredChange {
        AuthoredChange(.erase(revision: revision), of: key, at: tail)
    }

    package func touch(_ time: Int64) -> AuthoredChange { AuthoredChange(.touch(time), of: key, at: tail) }

    /// Returns the same session for another writer, which does not see later changes.
    package func forked() -> Author {
        var other = Author(key, at: AuthorTail(at: tail.token))
        other.head = head
        return other
    }

    /// Returns the same session as it is stored in a journal.
    package func found(in journal: some Journal) async throws(JournalError) -> Author? {
        guard let record = try await journal.record(of: key) else { return nil }
        var other = Author(key, at: AuthorTail(at: record.token))
        other.head = record.head
        return other
    }

    private init(_ key: JournalKey, at tail: AuthorTail) {
        self.key = key
        self.tail = tail
    }

    private mutating func next(_ kind: Entry.Kind, at time: Int64, payload: String, secret: Range<Int>?) -> [UInt8] {
        head.revision += 1
        head.time = time
        let ids = Entry.FreeIdentifiers(screen: head.revision, coordinator: 1)
        let entry = Entry(
            kind, revision: head.revision, time: time, before: ids, after: ids, digest: UInt64(head.revision),
            visible: "list", payload: Array(payload.utf8), secrets: secret.map { [$0] } ?? [])
        let bytes = entry.bytes(of: key)
        head.bytes += bytes.count
        return bytes
    }

    private mutating func answer(under idempotencyKey: String?) -> KeyedAnswer? {
        guard let idempotencyKey else { return nil }
        let answer: KeyedAnswer = answer(under: idempotencyKey)
        return answer
    }

    private mutating func answer(under idempotencyKey: String) -> KeyedAnswer {
        head.answers += 1
        return KeyedAnswer(
            key: idempotencyKey, fingerprint: UInt64(head.answers), revision: head.revision,
            body: Array("{\"revision\":\(head.revision)}".utf8))
    }
}
