import Testing
import Usher
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("Sessions that this build cannot restore")
struct HeldSessionTests {
    @Test(arguments: [Build.withoutOption, .withoutApp])
    func `a request to a session that this build cannot restore gets the reason, but no Retry-After`(
        build: Build
    ) async throws {
        let journal = try RecordedJournal()
        var id = ""
        try await journal.serve([OptionApp.self]) { stage in
            id = try await stage.open("held", options: #"{"greets":true}"#).id
        }
        try await journal.serve(build.apps, build: 2) { stage in
            let requests: [(UsherHTTP.Method, String, String?)] = [
                (.get, "", nil), (.post, "/events", #"{"back":true}"#), (.get, "/stream", nil),
                (.get, "/tree", nil), (.get, "/at/1", nil), (.get, "/at/1/tree", nil), (.get, "/history", nil),
                (.get, "/walk", nil), (.get, "/export", nil),
                (.post, "/fork", #"{"revision":1}"#), (.post, "/rollback", #"{"revision":1}"#),
            ]
            for (method, path, body) in requests {
                let answer = try await stage.request(method, "/admin/sessions/\(id)\(path)", body: body)
                #expect(answer.status == 503)
                #expect(answer["type"]?.string == "urn:usher:problem:session-held", "\(path) \(answer.text)")
                #expect(answer["held"]?.string == build.reason)
                #expect(answer.headers["Retry-After"] == nil)
                #expect(answer["detail"]?.text.contains("fork") == false, "\(answer.text)")
            }
            for (method, path, body) in [
                (.get, "", nil), (.post, "/messages", #"{"message":1}"#),
            ] as [(UsherHTTP.Method, String, String?)] {
                let own = try await stage.request(method, "/sessions/\(id)\(path)", body: body)
                #expect(own["type"]?.string == "urn:usher:problem:session-held", "\(path) \(own.text)")
            }
            for path in ["journal", "export?as=json"] {
                let parts = path.split(separator: "?")
                let answer = try await stage.request(
                    .get, "/admin/sessions/\(id)/\(parts[0])", query: parts.dropFirst().first.map { String($0) })
                #expect(answer.status == 200)
                #expect(answer["entries"]?.elements.map { _ in 1 } == [1])
            }
        }
        try await journal.serve([OptionApp.self]) { stage in
            #expect(try await stage.request(.get, "/sessions/\(id)").status == 200)
            let answer = try await stage.request(
                .post, "/admin/sessions/\(id)/rollback", body: #"{"revision":1}"#)
            #expect(answer.status == 422)
            #expect(answer["detail"]?.text.contains("fork it") == true)
        }
    }

    @Test func `the operator can list held sessions, count them by reason, and end them`() async throws {
        let journal = try RecordedJournal()
        var ids: [String] = []
        try await journal.serve([OptionApp.self, OtherApp.self]) { stage in
            for _ in 0..<3 { ids.append(try await stage.open("held").id) }
            _ = try await stage.open("other")
        }
        let lines = LogLines()
        try await journal.serve([OtherApp.self], build: 2, lines: lines) { stage in
            let metric = #"usher_sessions_held{reason="app-missing"}"#
            #expect(try await stage.samples()[metric] == 0)
            for id in ids { #expect(try await stage.request(.get, "/sessions/\(id)").status == 503) }
            #expect(try await stage.samples()[metric] == 3)
            let list = try await stage.request(.get, "/admin/sessions", query: "state=held&limit=2")
            #expect(list["total"]?.text == #"{"count":3,"of":"matching"}"#)
            let next = try await stage.request(
                .get, "/admin/sessions", query: list["next"]?.string?.split(separator: "?").last.map { String($0) })
            #expect(next["next"] == nil)
            let listed = [list, next].flatMap { page in page["sessions"].map { Array($0.elements) } ?? [] }
            #expect(listed.compactMap { $0[member: "session"]?.string } == ids.sorted())
            for session in listed {
                #expect(session[member: "held"]?.string == "app-missing")
                #expect(session[member: "cause"]?.string == "there is no app \"held\" in this build")
                #expect(session[member: "revision"]?.integer == 1)
            }
            let sorted = try await stage.request(.get, "/admin/sessions", query: "state=held&sort=used")
            #expect(sorted.status == 400)
            #expect(try await stage.request(.delete, "/sessions/\(ids[0])").status == 204)
            #expect(try await stage.request(.get, "/sessions/\(ids[0])").status == 410)
            let rest = try await stage.request(.get, "/admin/sessions", query: "state=held")
            #expect(rest["total"]?.text == #"{"count":2,"of":"matching"}"#)
            #expect(try await stage.samples()[metric] == 2)
        }
        #expect(lines.all.count { $0.contains("session held") && $0.contains(#"reason="app-missing""#) } == 3)
    }

    enum Build {
        case withoutOption, withoutApp

        var reason: String {
            switch self {
            case .withoutOption: "options-invalid"
            case .withoutApp: "app-missing"
            }
        }

        var apps: [any App.Type] {
            switch self {
            case .withoutOption: [OptionlessApp.self]
            case .withoutApp: [OtherApp.self]
            }
        }
    }
}

private struct HallScreen: Screen {
    typealias Event = Never
}

private final class HallCoordinator: Coordinator<Never> {
    override func start() { push(HallScreen()) }
}

private enum OptionApp: App {
    struct Options: Codable, Sendable {
        var greets = false
    }

    static var name: String { "held" }
    static var options: Options { Options() }

    static func root(_ options: Options) -> sending AnyCoordinator { HallCoordinator() }
}

/// A newer build of the app, which does not have the option any more.
private enum OptionlessApp: App {
    static var name: String { "held" }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { HallCoordinator() }
}

private enum OtherApp: App {
    static var name: String { "other" }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { HallCoordinator() }
}
