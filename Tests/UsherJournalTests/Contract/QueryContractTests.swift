import JournalSubject
import Testing
import UsherJournal

@Suite("Every journal finds sessions by app, leaks and order")
struct QueryContractTests {
    /// Creates forty sessions of three apps.
    ///
    /// Two sessions each have the same creation time, every fifth has leaks, and some have ended.
    private static func filled(_ backEnd: BackEnd) async throws -> (Subject, [JournalKey: SessionHeader]) {
        let journal = try Subject(backEnd)
        var sessions: [JournalKey: SessionHeader] = [:]
        for number in UInt64(1)...40 {
            let app = ["notes", "tudy", "a b&c"][Int(number % 3)]
            var author = Author(number, app: app, created: Int64(number / 2) * 10)
            if number % 10 == 0 { author.leak(1) }
            await journal.keep(author.create(at: Int64(number / 2) * 10))
            if number % 10 == 5 { author.leak(2) }
            await journal.keep(author.append(at: 9_000))
            if number % 4 == 0 { await journal.keep(author.touch(Int64(1_000 - number))) }
            if number % 13 == 0 { await journal.keep(author.end()) } else { sessions[author.key] = author.head }
        }
        return (journal, sessions)
    }

    /// Reads all pages of a query.
    private static func walk(_ journal: Subject, _ query: SessionQuery) async throws -> [FoundSession] {
        var (found, query) = ([FoundSession](), query)
        while true {
            let page = try await journal.sessions(matching: query)
            found += page
            guard page.count == query.limit, let last = page.last else { return found }
            query.place = last.place(in: query.order)
        }
    }

    @Test(arguments: BackEnd.all, SessionQuery.Order.allCases)
    func `pages of any size contain each session once, in the requested order`(
        backEnd: BackEnd, order: SessionQuery.Order
    ) async throws {
        let (journal, sessions) = try await Self.filled(backEnd)
        for (app, hasLeaked) in [(nil, false), ("tudy", false), ("a b&c", true), (nil, true), ("none", false)] {
            let wanted = sessions.filter { _, head in
                (app.map { $0 == head.app } ?? true) && (!hasLeaked || head.leaked > 0)
            }
            for limit in [1, 3, 100] {
                let query = SessionQuery(by: order, of: app, hasLeaked: hasLeaked, limit: limit)
                let found = try await Self.walk(journal, query)
                #expect(found.map(\.key) == query.fromTheFirst(limit: 100).select(from: found).map(\.key))
                #expect(Set(found.map(\.key)) == Set(wanted.keys))
                #expect(found.count == wanted.count)
                #expect(found.allSatisfy { $0.head == sessions[$0.key] })
            }
            let query = SessionQuery(by: order, of: app, hasLeaked: hasLeaked, limit: 1)
            #expect(try await journal.count(matching: query, limit: 100) == wanted.count)
            #expect(try await journal.count(matching: query, limit: 2) == min(2, wanted.count))
        }
    }

    @Test(arguments: BackEnd.all)
    func `sessions in a range of keys are returned in the order of their keys`(backEnd: BackEnd) async throws {
        let (journal, sessions) = try await Self.filled(backEnd)
        let keys = sessions.keys.sorted()
        let range = keys[5]...keys[20]
        let query = SessionQuery(in: range, limit: 4)
        #expect(try await Self.walk(journal, query).map(\.key) == Array(keys[5...20]))
        #expect(try await journal.count(matching: query, limit: 100) == 16)
        var before = query
        before.place = SessionQuery.Cursor(key: keys[2])
        #expect(try await journal.sessions(matching: before).map(\.key) == Array(keys[5...8]))
        before.place = SessionQuery.Cursor(key: keys[20])
        #expect(try await journal.sessions(matching: before).isEmpty)
        before.keys = JournalKey.all
        before.place = SessionQuery.Cursor(key: JournalKey.all.upperBound)
        #expect(try await journal.sessions(matching: before).isEmpty)
    }

    /// Canonically equivalent texts name different users, because a back end compares bytes.
    @Test(arguments: BackEnd.all)
    func `a user's live or ended sessions are returned in the order of keys, also with other conditions`(
        backEnd: BackEnd
    ) async throws {
        let journal = try Subject(backEnd)
        let users = ["kim", "jos\u{E9}", "jose\u{301}"]
        var (sessions, ended): ([JournalKey: SessionHeader], [JournalKey: SessionHeader]) = ([:], [:])
        for number in UInt64(1)...24 {
            let access = SessionAccess(owner: nil, subject: number % 4 == 3 ? nil : users[Int(number % 4)])
            var author = Author(number, app: number % 2 == 0 ? "notes" : "tudy", access: access)
            await journal.keep(author.create())
            if number % 3 == 0 {
                author.leak(1)
                await journal.keep(author.append())
            }
            if number % 8 < 2 {
                ended[author.key] = author.head
                await journal.keep(author.end())
            } else {
                sessions[author.key] = author.head
            }
        }
        for user in users + ["nobody"] {
            for (app, hasLeaked) in [(nil, false), ("tudy", false), (nil, true), ("notes", true)] {
                let wanted = sessions.filter { _, head in
                    head.access?.subject?.utf8.elementsEqual(user.utf8) == true
                        && (app.map { $0 == head.app } ?? true) && (!hasLeaked || head.leaked > 0)
                }
                for limit in [1, 2, 100] {
                    let query = SessionQuery(of: app, for: user, hasLeaked: hasLeaked, limit: limit)
                    #expect(try await Self.walk(journal, query).map(\.key) == wanted.keys.sorted())
                    #expect(try await journal.count(matching: query, limit: 100) == wanted.count)
                }
            }
            for app in [nil, "tudy"] {
                let wanted = ended.filter { _, head in
                    head.access?.subject?.utf8.elementsEqual(user.utf8) == true && (app.map { $0 == head.app } ?? true)
                }
                for limit in [1, 100] {
                    let query = SessionQuery(of: app, for: user, hasEnded: true, limit: limit)
                    let found = try await Self.walk(journal, query)
                    #expect(found.map(\.key) == wanted.keys.sorted())
                    #expect(found.allSatisfy { $0.head?.ending != nil })
                    #expect(try await journal.count(matching: query, limit: 100) == wanted.count)
                }
            }
        }
    }

    @Test(arguments: BackEnd.all)
    func `the times of creation and last use are returned`(backEnd: BackEnd) async throws {
        let journal = try Subject(backEnd)
        var author = Author(1, created: 50)
        await journal.keep(author.create(at: 60), author.append(at: 100))
        let query = SessionQuery(by: .used, limit: 1)
        let first = try await journal.sessions(matching: query).first
        #expect(first.map { [$0.created, $0.touched] } == [50, 60])
        await journal.keep(author.touch(70))
        #expect(try await journal.sessions(matching: query).first?.touched == 70)
    }

    @Test(arguments: BackEnd.all)
    func `a session with a leak is found after the entry with the leak, whatever entries follow`(backEnd: BackEnd)
        async throws
    {
        let journal = try Subject(backEnd)
        var author = Author(1)
        let query = SessionQuery(hasLeaked: true, limit: 1)
        await journal.keep(author.create(), author.append())
        #expect(try await journal.sessions(matching: query).isEmpty)
        let plain = author.append()
        author.leak(1)
        // The entry is in one group with the previous and the next entry.
        await journal.keep(plain, author.append(), author.append())
        #expect(!author.tail.isBroken)
        #expect(try await journal.sessions(matching: query).first?.head == author.head)
        author.leak(3)
        await journal.keep(author.append(answerUnder: "k"))
        #expect(try await journal.head(of: author.key)?.leaked == 3)
        #expect(try await journal.record(of: author.key)?.entries.count == 6)
    }
}
