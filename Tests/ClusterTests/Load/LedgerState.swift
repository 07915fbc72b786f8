import UsherJSON

/// The state of a session of `LedgerApp` in a response.
struct LedgerState: Equatable {
    let revision: Int
    let numbers: [Int]
    /// Whether a timer or an effect is pending.
    let isPending: Bool

    /// Parses a state.
    ///
    /// - Parameter member: The member of the response with the state; by default the response itself.
    init?(_ body: [UInt8], under member: String? = nil) {
        guard let root = try? JSONDocument(parsing: body).root,
            let state = member.map({ root[member: $0] }) ?? root,
            let revision = state[member: "revision"]?.integer,
            let screen = state[member: "stack"].flatMap({ Array($0.elements).first }),
            let numbers = screen[member: "state"]?[member: "numbers"]
        else { return nil }
        self.revision = revision
        self.numbers = numbers.elements.compactMap(\.integer)
        isPending = state[member: "pending"].map { !Array($0.elements).isEmpty } ?? false
    }
}
