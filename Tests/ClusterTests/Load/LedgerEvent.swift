/// An event of `LedgerApp`: it adds a number, and may have another added later.
struct LedgerEvent {
    enum Kind: String {
        case add
        /// Has a timer add another number.
        case wait
        /// Has an effect add another number.
        case deliver
        /// Is refused.
        case refuse
    }

    let kind: Kind
    let number: Int

    init(_ kind: Kind, _ number: Int) {
        self.kind = kind
        self.number = number
    }

    /// The content of a request that sends it.
    var body: String {
        let next = following.map { #","next":\#($0)"# } ?? ""
        return #"{"event":{"\#(kind.rawValue)":{"number":\#(number)\#(next)}}}"#
    }

    /// The number that is added later, once the event is acknowledged.
    var following: Int? {
        switch kind {
        case .add, .refuse: nil
        case .wait: number + Self.timers
        case .deliver: number + Self.receipts
        }
    }

    /// The number of the event whose effect has added a number; nil where no effect did.
    static func delivered(by number: Int) -> Int? { number > receipts ? number - receipts : nil }

    /// A number that nobody else sends to the same database.
    ///
    /// - Parameters:
    ///   - round: The run of the load there.
    ///   - client: The client's name, below a thousand.
    ///   - count: Of the client's numbers, below a million.
    static func number(round: Int, client: Int, count: Int) -> Int {
        round * 1_000_000_000 + client * 1_000_000 + count
    }

    // All below 2^53, which JSON's readers agree on.
    private static let timers = 1_000_000_000_000_000
    private static let receipts = 2_000_000_000_000_000
}
