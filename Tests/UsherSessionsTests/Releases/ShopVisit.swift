import Testing
import UsherJSON

@testable import UsherSessions

/// What a release does to a session.
enum Fate { case asItWas, resumed, beganAnew, held }

/// A session at some place in the shop.
struct ShopVisit {
    let id: SessionID
    let account: String
    let hasPaid: Bool
    let isPaying: Bool
    let sawAccount: Bool
    let before: Snapshot

    /// Opens sessions at all places of the shop, four of which have paid, and two of which are paying.
    static func all(in registry: SessionRegistry) async throws -> [ShopVisit] {
        let places: [[String]] = [
            [], [#"{"event":"help"}"#], [#"{"event":"help"}"#, #"{"event":"close"}"#], [#"{"select":"account"}"#],
            [#"{"select":"account"}"#, #"{"select":"goods"}"#], [#"{"event":"buy"}"#],
            [#"{"event":"buy"}"#, #"{"back":true}"#], [#"{"event":"buy"}"#, #"{"event":"next"}"#],
            [#"{"event":"buy"}"#, #"{"event":"next"}"#, #"{"back":true}"#],
            [#"{"event":"buy"}"#, #"{"select":"account"}"#],
        ]
        let afterPaying = [[], [], [#"{"event":"home"}"#], [#"{"select":"account"}"#]]
        let visits = try await withThrowingTaskGroup(of: (Int, ShopVisit).self) { group in
            // Make all visits at once, so that their changes share commits.
            for (number, place) in (places + places).enumerated() {
                group.addTask { (number, try await ShopVisit(place, account: "guest \(number)", in: registry)) }
            }
            for (number, after) in afterPaying.enumerated() {
                group.addTask { (20 + number, try await paid(then: after, in: registry)) }
            }
            for number in 24..<26 { group.addTask { (number, try await paying(in: registry)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        return visits.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Opens a session that has paid.
    static func paid(then inputs: [String] = [], in registry: SessionRegistry) async throws -> ShopVisit {
        let account = "paid \(SessionID(from: SystemRandom()).text)"
        return try await ShopVisit(way(paying: account) + inputs, account: account, in: registry, hasPaid: true)
    }

    /// Opens a session whose charge does not come to its end by itself.
    private static func paying(in registry: SessionRegistry) async throws -> ShopVisit {
        let account = "slow \(SessionID(from: SystemRandom()).text)"
        return try await ShopVisit(way(paying: account), account: account, in: registry, isPaying: true)
    }

    private static func way(paying account: String) -> [String] {
        [#"{"event":"buy"}"#, #"{"event":"next"}"#, #"{"event":{"pay":{"account":"\#(account)"}}}"#]
    }

    /// Opens a session, and sends it inputs.
    init(
        _ inputs: [String] = [], account: String = "guest", in registry: SessionRegistry, hasPaid: Bool = false,
        isPaying: Bool = false
    ) async throws {
        let session = try await registry.open("shop").session
        try await session.settle { $0.contains("hello") }
        for input in inputs {
            try await session.send(input)
            if input.contains("pay"), hasPaid { try await session.settle { $0.contains("done") } }
        }
        if isPaying { try await session.settle { _ in !Till.shared.charges(of: account).isEmpty } }
        id = session.id
        (self.account, self.hasPaid, self.isPaying) = (account, hasPaid, isPaying)
        sawAccount = inputs.contains { $0.contains(#"account"}"#) }
        before = try await session.snapshot()
    }

    /// Looks at the session in another build.
    func fate(in registry: SessionRegistry) async throws -> (Fate, String) {
        do {
            let after = try await registry.snapshot(of: id)
            if after.revision == before.revision {
                #expect(try after.displayedIDs == before.displayedIDs, "\(account): \(after.text)")
                return (.asItWas, after.text)
            }
            return (after.text.contains(#""resumed":{"revision":0,"#) ? .beganAnew : .resumed, after.text)
        } catch SessionError.onHold {
            return (.held, "")
        }
    }
}

extension Snapshot {
    /// The ids of the screens on display, bottom to top.
    var displayedIDs: [Int] {
        get throws {
            let stack = try JSONDocument(parsing: state).root[member: "stack"]
            return stack?.elements.map { $0[member: "id"]?.integer ?? 0 } ?? []
        }
    }
}

extension Session {
    /// Waits until the session's state satisfies a condition.
    func settle(_ isSettled: (String) -> Bool) async throws {
        while !isSettled(try await snapshot().text) { await Task.yield() }
    }
}

extension ShopChange {
    /// A Boolean value indicating whether its build has no tab "account".
    var hidesAccount: Bool { self == .hiddenTabRemoved || self == .hiddenTabRenamed }
}
