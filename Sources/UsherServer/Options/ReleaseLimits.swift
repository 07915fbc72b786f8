/// The maximum numbers of sessions that a build may hold or resume when it takes over from another build.
package struct ReleaseLimits: Equatable, Sendable {
    /// The maximum number of sessions on hold; nil for no limit.
    fileprivate(set) var held: SessionLimit?
    /// The maximum number of sessions that resume at an earlier revision, or from the beginning; nil for no limit.
    fileprivate(set) var resumed: SessionLimit?
    /// A Boolean value indicating whether all sessions are checked instead of a sample.
    fileprivate(set) var checksAll = false

    var isSet: Bool { held != nil || resumed != nil }
}

/// A number of sessions, or a share of all.
struct SessionLimit: Equatable, Sendable {
    private enum Amount: Equatable {
        case number(Int)
        case share(millionths: Int)
    }

    private let amount: Amount
    /// The limit as it was given.
    let text: String

    /// Parses a number such as `12`, or a percentage up to 100 % such as `0.5%`, with at most four decimal places.
    init?(_ text: String) {
        self.text = text
        guard text.hasSuffix("%") else {
            guard let number = Self.number(text[...]) else { return nil }
            amount = .number(number)
            return
        }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Self.number(parts[0]) else { return nil }
        var millionths = whole * 10_000
        if parts.count == 2 {
            let zeros = String(repeating: "0", count: max(0, 4 - parts[1].count))
            guard (1...4).contains(parts[1].count), let rest = Self.number(parts[1] + zeros) else { return nil }
            millionths += rest
        }
        guard millionths <= Self.million else { return nil }
        amount = .share(millionths: millionths)
    }

    var isZero: Bool { amount == .number(0) || amount == .share(millionths: 0) }

    /// Returns the number of sessions that are allowed, of `total` sessions.
    func sessions(of total: Int) -> Int {
        switch amount {
        case .number(let number): number
        case .share(let millionths):
            // Split into two products, because a single product might overflow.
            total / Self.million * millionths + total % Self.million * millionths / Self.million
        }
    }

    private static let million = 1_000_000

    /// Parses a number of at most nine digits.
    private static func number(_ digits: Substring) -> Int? {
        guard (1...9).contains(digits.utf8.count), digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return Int(digits)
    }
}

extension ServeOptions {
    static let releasing = [
        Option(
            "replace", "take over from the server that runs on this journal, without refusing a connection",
            sets: \.replaces, to: true),
        Option(
            "max-held", "N|N%",
            "with --replace: do not take over if this build would hold or end more than N live sessions, counting "
                + "those on hold now; the server estimates their number from random sessions, which it checks for up to "
                + "60s, and compares N with the upper bound of the estimate (95 % confidence)",
            sets: \.releaseLimits.held, limit),
        Option(
            "max-resumed", "N|N%",
            "like --max-held, but for sessions that would return to an earlier revision, or start again",
            sets: \.releaseLimits.resumed, limit),
        Option(
            "all", "check all sessions, however long it takes; --max-held 0 needs this option",
            sets: \.releaseLimits.checksAll,
            to: true),
    ]

    private static let limit: Option.Parser<SessionLimit?> = { text, name throws(UsageError) in
        guard let limit = SessionLimit(text) else {
            throw UsageError(
                "--\(name) takes a number or a percentage of sessions, such as 12 or 0.5%, not \"\(text)\"")
        }
        return limit
    }

    /// Checks that a takeover is possible, and that its limits can be enforced; throws `UsageError`.
    func checkRelease() throws(UsageError) {
        guard isSupervised || !replaces else {
            throw UsageError("--replace needs the supervisor; leave out --no-supervisor")
        }
        guard releaseLimits.isSet else {
            guard !releaseLimits.checksAll else {
                throw UsageError("--all needs --max-held N or --max-resumed N; add one of them")
            }
            return
        }
        let name = releaseLimits.held != nil ? "--max-held" : "--max-resumed"
        guard replaces else { throw UsageError("\(name) needs --replace; add it") }
        guard journal != .memory else {
            throw UsageError("\(name) needs sessions that outlive their server; with --journal memory, there are none")
        }
        guard releaseLimits.checksAll || releaseLimits.held?.isZero != true else {
            throw UsageError("--max-held 0 needs --all, because a sample cannot show that no session would be held")
        }
    }
}
