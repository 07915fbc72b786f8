import Testing
import UsherHTTP
import UsherJSON

/// A session under test.
final class Walk {
    let id: String
    /// The newest response, which may be a problem.
    private(set) var answer: Answer
    private let stage: Stage

    init(on stage: Stage, opened: Answer) throws {
        self.stage = stage
        answer = opened
        id = try #require(opened["session"]?.string)
    }

    var path: String { "/sessions/\(id)" }

    /// Sends a body to the session's `events`.
    @discardableResult
    func post(_ body: String, headers: HeaderFields = [:]) async throws -> Answer {
        answer = try await stage.request(.post, "\(path)/events", headers: headers, body: body)
        return answer
    }

    /// Sends an event, by default from the visible screen.
    @discardableResult
    func send(_ event: String, from screen: Int? = nil) async throws -> Answer {
        let screen = screen.map { #""screen":\#($0),"# } ?? ""
        return try await post(#"{\#(screen)"event":"\#(event)"}"#)
    }

    @discardableResult
    func back() async throws -> Answer { try await post(#"{"back":true}"#) }

    @discardableResult
    func popped(_ screen: Int) async throws -> Answer { try await post(#"{"popped":\#(screen)}"#) }

    @discardableResult
    func dismissed(_ screen: Int) async throws -> Answer { try await post(#"{"dismissed":\#(screen)}"#) }

    func state(headers: HeaderFields = [:]) async throws -> Answer {
        try await stage.request(.get, path, headers: headers)
    }

    func delete() async throws -> Answer { try await stage.request(.delete, path) }

    /// Returns the ids of the screens on display, bottom to top.
    func screens() async throws -> [Int] {
        try await state()["stack"]?.elements.compactMap { $0[member: "id"]?.integer } ?? []
    }

    /// Expects the result of a row of `scenarios.md` after its input: the stack, the coordinators, and no leak.
    func expect(
        _ stack: String, _ tree: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let state = try await state()
        let report = try await report()
        #expect(report.windowNotation == stack, "\(answer.text)", sourceLocation: sourceLocation)
        #expect(state.displayed == report.reportedAsDisplayed, sourceLocation: sourceLocation)
        try await expectListed(state, sourceLocation)
        let root = try #require(report["root"], sourceLocation: sourceLocation)
        #expect(root.treeNotation == tree, sourceLocation: sourceLocation)
        #expect(report["coordinators", "live"]?.integer == root.coordinatorCount, sourceLocation: sourceLocation)
        #expect(report["coordinators", "leaked"]?.integer == 0, sourceLocation: sourceLocation)
        #expect(report["leaks"]?.text == "[]", sourceLocation: sourceLocation)
        #expect(state["leaks"] == nil && state["warnings"] == nil, "\(state.text)", sourceLocation: sourceLocation)
    }

    /// Expects that `GET /apps` lists every screen on display, and the events of the visible screen.
    private func expectListed(_ state: Answer, _ sourceLocation: SourceLocation) async throws {
        let apps = try await stage.request(.get, "/apps")["apps"]
        let app = apps?.elements.first { $0[member: "app"]?.string == state["app"]?.string }
        for entry in state["stack"].map({ Array($0.elements) }) ?? [] {
            let name = entry[member: "screen"]?.string ?? ""
            let listed = app?[member: "screens"]?[member: name]
            #expect(listed != nil, "\(name) is not among the app's screens", sourceLocation: sourceLocation)
            guard let events = entry[member: "events"] else { continue }
            #expect(events.text == listed?.text, sourceLocation: sourceLocation)
        }
    }

    /// Performs an action that must be answered with an error, and change nothing.
    @discardableResult
    func expectUnchanged(
        _ status: Int, naming words: String = "", sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (Walk) async throws -> Void
    ) async throws -> Answer {
        let before = (try await state().text, try await report().text)
        try await body(self)
        #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
        #expect(words.isEmpty || answer.detail.contains(words), "\(answer.text)", sourceLocation: sourceLocation)
        #expect(try await state().text == before.0, sourceLocation: sourceLocation)
        #expect(try await report().text == before.1, sourceLocation: sourceLocation)
        return answer
    }

    func report() async throws -> Answer {
        try await stage.request(.get, "/admin/sessions/\(id)/tree")
    }
}
