import Testing
import Usher
import UsherJSON

/// Tests that the tree stays consistent, loses nothing and can be replayed, whatever authors and users do.
@Suite("Chaos")
struct ChaosTests {
    @Test(arguments: Array(0..<40) + [1174, 1245, 1614, 1655, 1967] as [UInt64])
    func `whatever one coordinator does to another, the tree stays valid`(seed: UInt64) throws {
        var dice = Dice(state: seed)
        var history: [(action: String, link: LinkHandling)] = []
        var walker = try walk(seed, history)
        var twin = try walk(seed, history)
        for _ in 0..<60 {
            let action = try action(on: walker, &dice)
            let rejection = try walker.rejection(of: action)
            #expect(try twin.rejection(of: action)?.reason == rejection?.reason, "seed \(seed): \(action)")
            if rejection == nil { history.append((action, .follow)) }
            if let retry = rejection?.retry {
                // The link succeeded only in part: like in a session, the input is handled again without it.
                history.append((action, retry))
                walker = try walk(seed, history)
                twin = try walk(seed, history)
            }
            guard !walker.tree.isBroken else { return try expectReason(rejection, seed) }
            try expectWhole(walker, "seed \(seed), revision \(walker.tree.revision): \(action)")
            #expect(try text(walker.state) == text(twin.state))
            #expect(try text(walker.report) == text(twin.report))
        }
        #expect(walker.tree.end() == [])
    }

    private func walk(_ seed: UInt64, _ history: [(action: String, link: LinkHandling)]) throws -> Walker {
        let walker = try Walker(ChaosCoordinator(ChaosCoordinator.World()), seed: seed)
        for (action, link) in history { try walker.handle(action, link: link) }
        return walker
    }

    /// Checks everything that must hold for a tree after any input.
    private func expectWhole(_ walker: Walker, _ comment: String) throws {
        let report = try walker.report
        let coordinatorCounts = walker.tree.coordinatorCounts
        #expect(coordinatorCounts.leaked == 0, "\(comment)")
        #expect(try walker.tree.isFaithful, "\(comment)")
        let coordinators = report[member: "root"].map { all($0) } ?? []
        #expect(coordinators.count == coordinatorCounts.live, "\(comment)")

        let stacks = report[member: "stacks"].map { Array($0.elements) } ?? []
        let shown = stacks.map { ids($0) }
        for ids in shown { #expect(ids == ids.sorted() && Set(ids).count == ids.count, "\(comment)") }
        #expect(stacks.filter { $0[member: "shown"]?.string != "root" }.allSatisfy { !ids($0).isEmpty }, "\(comment)")
        #expect(shown.joined().count == walker.tree.screens, "\(comment)")
        #expect(shown.joined().sorted() == coordinators.flatMap { ids($0) }.sorted(), "\(comment)")
        if let broken = try firstEntries(walker).first(where: { $0 == "push" }) {
            Issue.record("a stack begins with \(broken); \(comment)")
        }
    }

    /// Returns how the first screen of each displayed stack is shown.
    private func firstEntries(_ walker: Walker) throws -> [String] {
        let firsts = try walker.report[member: "stacks"]?.elements.compactMap { ids($0).first } ?? []
        return try walker.state[member: "stack"]?.elements
            .filter { firsts.contains($0[member: "id"]?.integer ?? 0) }
            .compactMap { $0[member: "shown"]?.string } ?? []
    }

    /// A tree may break because of a limit, or a flow that no host takes, but never because of the engine.
    private func expectReason(_ rejection: Rejection?, _ seed: UInt64) throws {
        let rejection = try #require(rejection)
        let known =
            rejection.kind == .limit || rejection.reason.contains("no coordinator accepts the flow")
            || rejection.reason.contains("can open this step")
        #expect(known, "seed \(seed): \(rejection)")
    }

    private func action(on walker: Walker, _ dice: inout Dice) throws -> String {
        guard try !walker.stack.isEmpty else { return #"{"open":["here"]}"# }
        let ids = try walker.report[member: "stacks"]?.elements.flatMap { self.ids($0) } ?? []
        let id =
            Int.random(in: 0..<8, using: &dice) == 0
            ? Int.random(in: -1...200, using: &dice)
            : ids.randomElement(using: &dice) ?? 1
        switch Int.random(in: 0..<12, using: &dice) {
        case 0: return #"{"back":true}"#
        case 1: return #"{"popped":\#(id)}"#
        case 2: return #"{"dismissed":\#(id)}"#
        case 3: return #"{"select":"\#(["home", "chat", "more", "none"].randomElement(using: &dice) ?? "")"}"#
        case 4:
            let steps = (0...1).map { _ in #""\#(["here", "deeper", "later"].randomElement(using: &dice) ?? "")""# }
            return #"{"open":[\#(steps.prefix(Int.random(in: 1...2, using: &dice)).joined(separator: ","))]}"#
        case 5: return #"{"screen":\#(id),"event":"one"}"#
        default: return #"{"event":"one"}"#
        }
    }

    private func ids(_ place: JSONValue) -> [Int] {
        place[member: "screens"]?.elements.compactMap { $0[member: "id"]?.integer } ?? []
    }

    private func all(_ coordinator: JSONValue) -> [JSONValue] {
        guard coordinator.kind == .object else { return [] }
        return [coordinator] + (coordinator[member: "children"]?.elements.flatMap { all($0) } ?? [])
    }

    private func text(_ value: JSONValue) -> String { String(decoding: value.bytes, as: UTF8.self) }
}

/// A generator of small numbers from a seed (xorshift).
private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed ^= mixed >> 33
        mixed = mixed &* 0xFF51_AFD7_ED55_8CCD
        mixed ^= mixed >> 33
        mixed = mixed &* 0xC4CE_B9FE_1A85_EC53
        return mixed ^ (mixed >> 33)
    }
}
