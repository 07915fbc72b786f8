import Testing
import UsherProcess

@testable import UsherSessions

@Suite("A memory budget")
struct MemoryBudgetTests {
    private func decide(_ percent: Int..., budget: inout MemoryBudget) -> [Admission?] {
        percent.map { percent in
            var use = MemoryBudget.Use()
            use.process = percent * 10
            return budget.decide(upon: use).refused
        }
    }

    @Test func `as memory use grows, the kinds of work are refused in a fixed order, with inputs last`() {
        var budget = MemoryBudget(bytes: 1_000)
        let decisions = decide(0, 79, 80, 84, 85, 89, 90, 94, 95, 100, 300, budget: &budget)
        #expect(
            decisions == [nil, nil, .session, .session, .stream, .stream, .waking, .waking, .input, .input, .input])
    }

    @Test func `work is accepted again a little below the level at which it was refused`() {
        var budget = MemoryBudget(bytes: 1_000)
        #expect(
            decide(95, 92, 91, 90, 87, 86, 84, 82, 81, 77, 76, budget: &budget)
                == [.input, .input, .waking, .waking, .waking, .stream, .stream, .stream, .session, .session, nil])
    }

    @Test func `before work is refused, sessions hibernate until memory use falls to a goal`() {
        var budget = MemoryBudget(bytes: 1_000)
        var use = MemoryBudget.Use()
        use.process = 699
        #expect(budget.decide(upon: use) == MemoryBudget.Decision(counted: 699))
        use.process = 700
        #expect(budget.decide(upon: use) == MemoryBudget.Decision(refused: nil, excess: 50, counted: 700))
        use.process = 900
        #expect(budget.decide(upon: use).excess == 250)
    }

    @Test func `memory use counts the heap's live bytes, not its pages`() {
        var budget = MemoryBudget(bytes: 1_000)
        var use = MemoryBudget.Use()
        (use.process, use.heap) = (890, HeapUse(allocatedBytes: 700, residentBytes: 840))
        #expect(budget.decide(upon: use).refused == .stream)
        #expect(budget.decide(upon: use).excess > 150)
        use.heap = HeapUse(allocatedBytes: 300, residentBytes: 840)
        let decision = budget.decide(upon: use)
        #expect(decision.refused == nil && decision.excess == 0)
        #expect((420..<430).contains(decision.counted), "the factor has hardly changed: \(decision.counted)")
    }

    @Test func `memory use counts the heap's resident pages step by step, up to twice the heap's live bytes`() {
        var budget = MemoryBudget(bytes: 1_000)
        var use = MemoryBudget.Use()
        (use.process, use.heap) = (890, HeapUse(allocatedBytes: 300, residentBytes: 840))
        for _ in 0..<100 { #expect(budget.decide(upon: use).counted < 450) }
        for _ in 0..<10_000 { _ = budget.decide(upon: use) }
        #expect((645...650).contains(budget.decide(upon: use).counted))
        #expect(budget.decide(upon: use).refused == nil)
    }

    @Test func `a process at its memory limit refuses all work and lets sessions in use hibernate`() {
        var budget = MemoryBudget(bytes: 1_000)
        var use = MemoryBudget.Use()
        use.heap = HeapUse(allocatedBytes: 100, residentBytes: 900)
        let decisions = [999, 1_000, 971, 969].map { process in
            use.process = process
            return budget.decide(upon: use)
        }
        #expect(decisions.map(\.isAtLimit) == [false, true, true, false])
        #expect(decisions.map(\.refused) == [nil, .input, .input, nil])
        #expect(decisions[1].excess > 0 && decisions[1].excess <= 30, "at most the bytes above 970")
    }

    @Test func `each queue has a share of the memory budget, and work that exceeds the share is refused`() {
        var budget = MemoryBudget(bytes: 8_000)
        var use = MemoryBudget.Use()
        use.states = 501
        #expect(budget.decide(upon: use).refused == .stream)
        use.exchanges = 1_000
        #expect(budget.decide(upon: use).refused == .stream)
        use.exchanges = 1_001
        #expect(budget.decide(upon: use).refused == .input)
        use = MemoryBudget.Use()
        use.changes = 1_001
        #expect(budget.decide(upon: use).refused == .input)
        use.changes = 0
        #expect(budget.decide(upon: use).refused == nil)
    }

    @Test func `the last connections and watchers are reserved for existing sessions`() {
        var budget = MemoryBudget(bytes: .max)
        var use = MemoryBudget.Use()
        (use.connections, use.watchers) = (0.9375, 0.9375)
        #expect(budget.decide(upon: use).refused == nil)
        use.watchers = 0.94
        #expect(budget.decide(upon: use).refused == .session)
        use.connections = 0.94
        #expect(budget.decide(upon: use).refused == .stream)
    }

    @Test func `every combination of a memory budget and memory in use leads to a decision`() {
        for bytes in [Int.min, 0, 1, 99, .max] {
            for process in [Int.min, 0, 1, .max / 2, .max] {
                var budget = MemoryBudget(bytes: bytes)
                for heap in [nil, 0, 1, .max].map({ $0.map { HeapUse(allocatedBytes: $0, residentBytes: $0) } }) {
                    var use = MemoryBudget.Use()
                    (use.process, use.heap) = (process, heap)
                    #expect(budget.decide(upon: use).excess >= 0)
                }
            }
        }
    }
}

@Suite("A dictionary that shrinks")
struct RoomTests {
    @Test func `a dictionary that loses most of its values frees its capacity and keeps the remaining values`() {
        var table = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ($0, $0) })
        for key in 3..<10_000 { table.removeAndShrink(key) }
        #expect(table == [0: 0, 1: 1, 2: 2])
        #expect(table.capacity <= 1_024)
    }

    @Test func `a dictionary keeps its capacity while it has more than an eighth of its values`() {
        var table = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ($0, $0) })
        let capacity = table.capacity
        for key in 4_000..<10_000 { table.removeAndShrink(key) }
        #expect(table.capacity == capacity)
    }
}
