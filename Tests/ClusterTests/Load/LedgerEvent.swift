/// An event of `LedgerApp`, which adds a number, and may cause another number later.
struct LedgerEvent {
    enum Kind: String {
        case add
        /// Starts a timer that adds another number.
        case wait
        /// Starts an effect that adds another number.
        case deliver
        /// Is rejected.
        case refuse
    }

    let kind: Kind
    let number: Int

    init(_ kind: Kind, _ number: Int) {
        self.kind = kind
        self.number = number
    }

    /// The body of a request with the event.
    var body: String {
        let next = following.map { #","next":\#($0)"# } ?? ""
        return #"{"event":{"\#(kind.rawValue)":{"number":\#(number)\#(next)}}}"#
    }

    /// The number that is added later, after the event is acknowledged.
    var following: Int? {
        switch kind {
        case .add, .refuse: nil
        case .wait: number + Self.timers
        case .deliver: number + Self.receipts
        }
    }

    /// Returns the number of the event whose effect has added a number; nil if no effect has.
    static func delivered(by number: Int) -> Int? { number > receipts ? number - receipts : nil }

    /// Returns a number that no other client sends to the same database.
    ///
    /// - Parameters:
    ///   - round: The number of the load's run.
    ///   - client: The client's name, below a thousand.
    ///   - count: The count of the client's numbers, below a million.
    static func number(round: Int, client: Int, count: Int) -> Int {
        round * 1_000_000_000 + client * 1_000_000 + count
    }

    // All numbers are below 2^53, which all JSON parsers support.
    private static let timers = 1_000_000_000_000_000
    private static let receipts = 2_000_000_000_000_000
}
