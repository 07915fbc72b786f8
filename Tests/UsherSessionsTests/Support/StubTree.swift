import UsherJournal

@testable import UsherSessions

/// A tree without a session, which can be told that its writes were not durable.
final class StubTree: GuardedTree {
    let newest = PendingCommit(in: GroupCommit())
    let lineage = Lineage()
    let carried: String

    init(_ name: String) {
        carried = name
    }
}

extension SessionState<StubTree> {
    /// The states, as far as a request can tell them apart.
    enum FoundPhase: CaseIterable {
        case asleep, waking, awake, over, retired
    }

    /// What a request finds, to compare.
    enum Found: Equatable {
        case asleep(String?)
        case dropped(String?)
        case waking
        case awake(String)
        case over(isDurable: Bool)
        case retired
    }

    /// Lets a request come in.
    mutating func found() -> Found {
        switch enter() {
        case .asleep(let carried, isDropped: false): .asleep(carried)
        case .asleep(let carried, isDropped: true): .dropped(carried)
        case .waking: .waking
        case .awake(let tree): .awake(tree.carried)
        case .over(let ending): .over(isDurable: ending.commit.hasHappened)
        case .retired: .retired
        }
    }

    /// The state that a request finds.
    mutating func foundPhase() -> FoundPhase {
        switch found() {
        case .asleep, .dropped: .asleep
        case .waking: .waking
        case .awake: .awake
        case .over: .over
        case .retired: .retired
        }
    }
}
