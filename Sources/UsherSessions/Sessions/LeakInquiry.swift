import Usher

/// Which leaks of a session have been looked into: each type once for each kind of input.
struct LeakInquiry {
    private struct Key: Hashable {
        let type: String
        let input: String
    }

    /// What was found; nil while it is looked into.
    private var holders: [Key: String?] = [:]
    /// Looking into a leak replays the session; one that always leaks something new is not looked into for ever.
    private static let limit = 32

    /// Who holds a leak, where an inquiry has found that already.
    func holder(of leak: Leak) -> String? {
        holders[Key(type: leak.type, input: leak.input)] ?? nil
    }

    /// Notes that leaks are looked into from now on.
    ///
    /// - Returns: Whether there is anything to look into.
    mutating func begin(_ leaks: [Leak]) -> Bool {
        let keys = Set(leaks.map { Key(type: $0.type, input: $0.input) }).subtracting(holders.keys)
        guard !keys.isEmpty, holders.count < Self.limit else { return false }
        for key in keys { holders[key] = .some(nil) }
        return true
    }

    mutating func end(_ leak: Leak, holder: String) {
        holders[Key(type: leak.type, input: leak.input)] = holder
    }
}
