import Testing
import Usher
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("Sessions that a build cannot restore")
struct HeldSessionTests {
    @Test(arguments: [Build.withoutOption, .withoutApp])
    func `a session that the build cannot begin is held: no retry is asked for, and no fork or rollback is advised`(
        build: Build
    ) async throws {
        let journal = try RecordedJournal()
        var id = ""
        try await journal.serve([OptionApp.self]) { stage in
            id = try await stage.open("held", options: #"{"greets":true}"#).id
        }
        try await journal.serve(build.apps) { stage in
            let requests: [(UsherHTTP.Method, String, String?)] = [
                (.get, "", nil), (.post, "/events", #"{"back":true}"#), (.get, "/stream", nil),
                (.post, "/fork", #"{"revision":1}"#), (.post, "/rollback", #"{"revision":1}"#),
            ]
            for (method, path, body) in requests {
                let answer = try await stage.request(method, "/admin/sessions/\(id)\(path)", body: body)
                #expect(answer.status == 503)
                #expect(answer["type"]?.string == "urn:usher:problem:session-held")
                #expect(answer.headers["Retry-After"] == nil)
                #expect(answer["detail"]?.text.contains("fork") == false, "\(answer.text)")
            }
            let own = try await stage.request(.get, "/sessions/\(id)")
            #expect(own["type"]?.string == "urn:usher:problem:session-held")
        }
        try await journal.serve([OptionApp.self]) { stage in
            #expect(try await stage.request(.get, "/sessions/\(id)").status == 200)
            let answer = try await stage.request(
                .post, "/admin/sessions/\(id)/rollback", body: #"{"revision":1}"#)
            #expect(answer.status == 422)
            #expect(answer["detail"]?.text.contains("fork it") == true)
        }
    }

    enum Build {
        case withoutOption, withoutApp

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

/// A newer build of the app, which has no such option any more.
private enum OptionlessApp: App {
    static var name: String { "held" }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { HallCoordinator() }
}

private enum OtherApp: App {
    static var name: String { "other" }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { HallCoordinator() }
}
