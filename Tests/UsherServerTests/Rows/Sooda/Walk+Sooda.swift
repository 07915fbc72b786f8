import Testing
import UsherHTTP
import UsherJSON

extension Walk {
    /// Sends events in Swift's encoding, such as `done` or `{"made":{"workspaceID":8}}`; each must be accepted.
    func play(_ events: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for event in events {
            try await sendCoded(event)
            try #require(answer.status == 200, "\(event): \(answer.text)", sourceLocation: sourceLocation)
        }
    }

    func play(_ events: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await play(events, sourceLocation: sourceLocation)
    }

    /// Sends an event in Swift's encoding.
    @discardableResult
    func sendCoded(_ event: String, from screen: Int? = nil) async throws -> Answer {
        let screen = screen.map { #""screen":\#($0),"# } ?? ""
        return try await post(#"{\#(screen)"event":\#(event.hasPrefix("{") ? event : "\"\(event)\"")}"#)
    }

    /// Opens a link, which must be accepted.
    func open(_ link: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await post(#"{"open":\#(link)}"#)
        try #require(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
    }

    func select(_ tab: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await post(#"{"select":"\#(tab)"}"#)
        try #require(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
    }

    /// Returns the entry of the topmost screen with a name.
    func entry(_ screen: String) async throws -> JSONValue? {
        try await state()["stack"]?.elements.filter { $0[member: "screen"]?.string == screen }.last
    }

    /// Returns everything that is shown or in memory, with ids and states; if the text is equal, nothing has changed.
    func picture() async throws -> [String] {
        let (state, report) = (try await state(), try await report())
        return [state["stack"]?.text, state["tabs"]?.text, report["stacks"]?.text, report["root"]?.text]
            .map { $0 ?? "" }
    }

    var pending: String? {
        get async throws { try await state()["pending"]?.text }
    }

    /// Expects TB(workspace) of `scenarios.md`.
    ///
    /// The parameters are the screens that are pushed on its home, the modals above, and the children of HomeDefault.
    func expectTabs(
        _ workspace: Int, selected: String = "home", home pushed: String = "", over modals: String = "",
        children: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expect(
            "tab(\(selected)){home[homeDefault\(pushed)], dm[dmList], search[search], setting[setting]}\(modals)",
            "App→[TabBar→[HomeDefault\(children), DM, Search, Setting]]", sourceLocation: sourceLocation)
        guard selected == "home" else { return }
        let home = try await entry("homeDefault")
        #expect(home?[member: "state"]?.text == #"{"workspaceID":\#(workspace)}"#, sourceLocation: sourceLocation)
    }
}
