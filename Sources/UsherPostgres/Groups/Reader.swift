import UsherJournal
import UsherProcess

/// A reader of sessions and lists on one connection, which repeats a read that got no response.
struct Reader: JournalContents {
    private let link: DatabaseLink
    private let retries: Bool
    private let deadline: Int64
    private let name: String

    /// The time limit of a read, in nanoseconds.
    private static let patience: Int64 = 5_000_000_000

    /// Creates a reader; `retries` is `false` if a repeated read would see another snapshot.
    init(_ link: DatabaseLink, retries: Bool = true) {
        self.link = link
        self.retries = retries
        name = "\(link.location)"
        deadline = (link.outage ?? MonotonicClock.now) + Self.patience
    }

    /// Runs a statement, and repeats the statement after a temporary failure.
    ///
    /// - Parameter isOnce: `true` to run the statement only once, because it must not take effect twice.
    /// - Throws: `JournalError`, such as `unavailable`; or `outcomeUnknown` if a statement that must not run twice may
    ///   have taken effect.
    func run(
        _ statement: String, _ parameters: [Parameter] = [], once isOnce: Bool = false
    ) throws(JournalError) -> ResultRows {
        var backoff = RetryBackoff()
        while true {
            do throws(PostgresFailure) {
                return try link.run(statement, parameters, by: deadline)
            } catch {
                guard retries else { throw error.inspectionError(name) }
                guard !isOnce else { throw error.journalError(name) }
                guard error.mayPass, let pause = backoff.next(at: MonotonicClock.now, until: deadline) else {
                    throw .unavailable(error.unavailability(name))
                }
                SystemThread.pause(nanoseconds: pause)
            }
        }
    }

    func seal(_ content: [UInt8], for row: SealedRow) throws(JournalError) -> [UInt8] {
        do throws(PostgresFailure) { return try link.seal.seal(content, for: row) } catch {
            throw .unavailable(error.unavailability(name))
        }
    }

    func open(_ content: [UInt8], of row: SealedRow) throws(JournalError) -> [UInt8] {
        try intact { () throws(EntryError) in try link.seal.open(content, of: row) }
    }

    // MARK: One session

    /// The rows of one session from one snapshot; the contents of the answers may still be sealed.
    private struct SessionRows {
        let header: SessionHeader
        let mark: UInt64
        var entries: [(revision: Int, mark: UInt64, content: [UInt8])] = []
        var answers: [(number: Int, key: String, content: [UInt8])] = []
    }

    func record(of key: JournalKey) throws(JournalError) -> SessionRecord? {
        guard let rows = try rows(of: key, from: 1) else { return nil }
        guard rows.answers.last.map({ $0.number == rows.header.answers }) ?? true else { throw .corrupt(.incomplete) }
        let token = RecordToken(
            revision: rows.header.revision, mark: rows.mark, entryMark: rows.entries.last?.mark ?? rows.mark)
        return try SessionRecord(
            head: rows.header.bytes(of: key), entries: rows.entries.map(\.content),
            answers: try answers(of: key, in: rows), of: key, token: token)
    }

    private func answers(of key: JournalKey, in rows: SessionRows) throws(JournalError) -> [[UInt8]] {
        try rows.answers.map { row throws(JournalError) in try open(row.content, of: .answer(key, under: row.key)) }
    }

    func head(of key: JournalKey) throws(JournalError) -> RecordHead? {
        guard let rows = try rows(of: key, from: .max) else { return nil }
        // The mark of the newest entry is left out, because only a replay needs this mark.
        return RecordHead(rows.header, token: RecordToken(revision: rows.header.revision, mark: rows.mark))
    }

    func creation(of key: JournalKey) throws(JournalError) -> Entry? {
        let rows = try run(ReadingStatements.creation, [.key(key)])
        guard rows.count > 0 else { return nil }
        let content = try open(rows.bytes(0, 0), of: .entry(key, revision: Int(rows.integer(0, 1))))
        return try intact { () throws(EntryError) in try Entry(content, of: key) }
    }

    func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer? {
        guard let rows = try rows(of: key, from: .max) else { return nil }
        // Checks that no response is missing. If a response were missing, a repeated request would run again.
        guard rows.answers.count == min(rows.header.answers, KeyedAnswer.limit),
            zip(rows.answers.reversed(), 0...).allSatisfy({ $0.number == rows.header.answers - $1 })
        else { throw .corrupt(.incomplete) }
        let answers = try answers(of: key, in: rows)
        return try intact { () throws(EntryError) in
            try answers.map { bytes throws(EntryError) in try KeyedAnswer(bytes, of: key) }
                .last { $0.key == idempotencyKey }
        }
    }

    /// Returns the rows of a session, with the entries from a revision on.
    private func rows(of key: JournalKey, from revision: Int) throws(JournalError) -> SessionRows? {
        let rows = try run(ReadingStatements.record, [.key(key), .integer(revision)])
        guard rows.count > 0 else { return nil }
        guard let head = rows.indices.first(where: { rows.integer($0, 0) == 0 }) else { throw .corrupt(.incomplete) }
        let bytes = try open(rows.bytes(head, 3), of: .head(key))
        let header = try intact { () throws(EntryError) in
            try SessionHeader(bytes, access: rows.bytes(ifAny: head, 5), leaked: rows.integer(ifAny: head, 6), of: key)
        }
        // If the columns differ from the header's bytes, the columns are right, and the header's bytes are damaged.
        guard header.revision == Int(rows.integer(head, 1)), header.answers == Int(rows.integer(head, 4)) else {
            throw .corrupt(.malformed)
        }
        var found = SessionRows(header: header, mark: rows.mark(head, 2))
        for row in rows.indices {
            let number = Int(rows.integer(row, 1))
            switch rows.integer(row, 0) {
            case 1:
                let content = try open(rows.bytes(row, 3), of: .entry(key, revision: number))
                found.entries.append((number, rows.mark(row, 2), content))
            case 2: found.answers.append((number, rows.text(row, 5), rows.bytes(row, 3)))
            default: break
            }
        }
        found.entries.sort { $0.revision < $1.revision }
        found.answers.sort { $0.number < $1.number }
        return found
    }

    func opening(under idempotencyKey: String) throws(JournalError) -> KeyedOpening? {
        let rows = try run(ReadingStatements.opening, [.text(idempotencyKey)])
        guard rows.count > 0 else { return nil }
        guard let session = rows.key(0, 0) else { throw .corrupt(.malformed) }
        let content = try open(rows.bytes(0, 1), of: .opening(session, under: idempotencyKey))
        return try KeyedOpening(content, of: session, under: idempotencyKey)
    }

    /// Returns the single number that a statement selects.
    func number(_ statement: String, _ parameters: [Parameter] = []) throws(JournalError) -> Int {
        let rows = try run(statement, parameters)
        return rows.count > 0 ? Int(rows.integer(0, 0)) : 0
    }
}

extension SessionHeader {
    /// Parses a header, and sets the access and the number of leaks, which have their own columns.
    init(_ bytes: [UInt8], access: [UInt8]?, leaked: Int64?, of key: JournalKey) throws(EntryError) {
        try self.init(bytes, of: key)
        self.leaked = Int(leaked ?? 0)
        if let access { self.access = try SessionAccess(access, of: key) }
    }
}

extension ResultRows {
    func bytes(ifAny row: Int, _ column: Int) -> [UInt8]? {
        isNull(row, column) ? nil : bytes(row, column)
    }

    func integer(ifAny row: Int, _ column: Int) -> Int64? {
        isNull(row, column) ? nil : integer(row, column)
    }
}

extension PostgresFailure {
    /// A Boolean value indicating whether the same statement may succeed later.
    var mayPass: Bool {
        switch kind {
        case .unconnected, .unanswered, .undone, .wrongServer: true
        case .row, .configuration, .resource: false
        }
    }
}
