import Usher

/// Which leaks of a session have been looked into: each type once for each kind of input.
struct LeakInquiry {
    private struct Key: Hashable {
        let type: String
        let input: String
    }

    private var holders: [Key: String?] = [:]
    /// Looking into a leak replays the session; one that always leaks otherwise anew is not looked into for ever.
    private let limit = 32

    /// The holders of leaks that an inquiry has found already; nil where one has still to be held, and may be.
    mutating func begin(_ leaks: [Leak]) -> Verdict {
        let keys = leaks.map { Key(type: $0.type, input: $0.input) }
        if keys.allSatisfy({ holders.keys.contains($0) }) { return .known(keys.map { holders[$0] ?? nil }) }
        guard holders.count < limit else { return .known(keys.map { _ in nil }) }
        for key in keys { holders[key] = .some(nil) }
        return .open
    }

    mutating func end(_ leaks: [Leak], holders found: [String?]) {
        for (leak, holder) in zip(leaks, found) { holders[Key(type: leak.type, input: leak.input)] = .some(holder) }
    }

    enum Verdict {
        case known([String?])
        case open
    }
}
