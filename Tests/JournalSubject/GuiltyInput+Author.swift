package import UsherJournal

extension GuiltyInput {
    /// Creates a guilty input of a session, like an isolated run.
    package static func of(
        _ session: JournalKey?, _ kind: Kind = .input, upon revision: Int = 2, bytes: String = "{\"event\":\"pay\"}",
        build: UInt64 = 1, at time: Int64 = 5_000
    ) -> GuiltyInput {
        GuiltyInput(
            Identity(kind, of: session, upon: revision, Array(bytes.utf8)),
            at: Site(app: "notes", screen: "list", event: "event pay"), build: build, time: time,
            crash: "SIGILL in Shop.pay()")
    }
}
