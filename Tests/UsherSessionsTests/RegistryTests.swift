import HelloBye
import Synchronization
import Testing
import Usher
import UsherSessions

@Suite("The registry")
struct RegistryTests {
    private let clock = ManualClock()

    @Test func `pages hold every session once, in the order of their ids`() throws {
        let registry = SessionRegistry(apps: [HelloByeApp.self], clock: clock)
        let ids = try (0..<257).map { _ in try registry.open("hello-bye").session.id }.sorted()
        var found: [SessionID] = []
        while true {
            let page = registry.sessions(after: found.last, limit: 10)
            found += page.map(\.id)
            if page.count < 10 { break }
        }
        #expect(found == ids)
    }

    @Test func `an id is 32 hexadecimal digits, and its description gives only eight away`() throws {
        let id = SessionID(from: CountingRandom())
        #expect(SessionID(id.text) == id)
        #expect(id.text.count == 32)
        #expect("\(id)" == "\(id.text.prefix(8))…")
    }

    @Test(arguments: [
        "", "x", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
        "0123456789ABCDEF0123456789abcdef", "0123456789abcdef0123456789abcdeg", "０１23456789abcdef0123456789abcd",
    ])
    func `anything else is no id`(text: String) {
        #expect(SessionID(text) == nil)
    }

    @Test func `ids come from the random source, 128 bits each`() throws {
        let registry = SessionRegistry(apps: [HelloByeApp.self], clock: clock, random: SystemRandom())
        let ids = Set(try (0..<1_000).map { _ in try registry.open("hello-bye").session.id.text })
        #expect(ids.count == 1_000)
        for position in 0..<32 {
            let digits = Set(ids.map { Array($0)[position] })
            #expect(digits.count == 16, "digit \(position) is always one of \(digits)")
        }
    }

    @Test func `the oldest tombstones make room for the newest`() throws {
        var bounds = SessionRegistry.Configuration()
        bounds.tombstoneLimit = 64
        let registry = SessionRegistry(apps: [HelloByeApp.self], configuration: bounds, clock: clock)
        var ended: [SessionID] = []
        for _ in 0..<1_000 {
            let session = try registry.open("hello-bye").session
            _ = try registry.end(session)
            ended.append(session.id)
        }
        let remembered = ended.filter { if case .ended = registry.lookUp($0) { true } else { false } }
        #expect(remembered.count <= 64)
        #expect(remembered.last == ended.last)
    }

    @Test func `memory is given back after many sessions, and when none is left after a few`() throws {
        let reclaimed = Atomic(0)
        let registry = SessionRegistry(
            apps: [HelloByeApp.self], clock: clock, background: { work in work() },
            reclaim: { reclaimed.add(1, ordering: .relaxed) })
        let first = try registry.open("hello-bye").session
        for _ in 0..<8_191 { _ = try registry.end(try registry.open("hello-bye").session) }
        #expect(reclaimed.load(ordering: .relaxed) == 0)
        _ = try registry.end(try registry.open("hello-bye").session)
        #expect(reclaimed.load(ordering: .relaxed) == 1)
        for _ in 0..<600 { _ = try registry.end(try registry.open("hello-bye").session) }
        _ = try registry.end(first)
        #expect(reclaimed.load(ordering: .relaxed) == 2)
    }
}
