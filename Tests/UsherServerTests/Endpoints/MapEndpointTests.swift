import LocalhostClient
import StartLoginMain
import Synchronization
import Testing
import Usher
import UsherExploration
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("The map of an app and the walk of a session on it")
struct MapEndpointTests {
    @Test func `the map contains each state of a session's walk`() async throws {
        try await serve([StartLoginMainApp.self]) { stage in
            let map = try await stage.request(.get, "/admin/apps/start-login-main/map")
            #expect(map["complete"]?.boolean == true)
            let states = try #require(map["states"]).elements.map { $0 }
            let digests = states.compactMap { $0[member: "digest"]?.string }
            #expect(Set(digests).count == 4)
            let walk = try await stage.open("start-login-main")
            for event in ["startApp", "login", "profileEdit"] { #expect(try await walk.send(event).status == 200) }
            try await walk.back()
            let answer = try await stage.request(.get, "/admin\(walk.path)/walk")
            #expect(answer["app"]?.string == "start-login-main")
            let points = try #require(answer["points"]).elements.map { $0 }
            #expect(points.compactMap { $0[member: "revision"]?.integer } == [1, 2, 3, 4, 5])
            let places = points.compactMap { point in digests.firstIndex { $0 == point[member: "digest"]?.string } }
            let screens = places.map { states[$0][member: "screen"]?.string }
            #expect(screens == ["start", "login", "main", "login", "main"])
            let inputs = points.map { $0[member: "input"]?.string }
            #expect(inputs == ["create", "event startApp", "event login", "event profileEdit", "back"])
        }
    }

    @Test func `the map contains the inputs that were tried, each as a client would send it`() async throws {
        try await serve([StartLoginMainApp.self]) { stage in
            let map = try await stage.request(.get, "/admin/apps/start-login-main/map")
            let start = try #require(map["inputs"]).elements.first { $0[member: "label"]?.string == "startApp" }
            #expect(start?[member: "from"]?.integer == 0)
            #expect(start?[member: "to"]?.integer == 1)
            #expect(start?[member: "input"]?[member: "event"]?.caseNameAndPayload?.name == "startApp")
            #expect(map["findings"] != nil && !map.text.contains("curl"))
        }
    }

    @Test func `several requests share one exploration of an app, and only one app at a time is explored`() async throws
    {
        let place = CountedProbes()
        let application = Self.application([StartLoginMainApp.self, ClosedApp.self], in: place)
        async let first = Self.map(of: "start-login-main", on: application)
        async let closed = Self.map(of: "closed", on: application)
        async let second = Self.map(of: "start-login-main", on: application)
        #expect(await first.text == second.text)
        #expect(await Self.map(of: "start-login-main", on: application).text == first.text)
        let findings = try #require(await closed["findings"])
        #expect(findings.elements.compactMap { $0[member: "kind"]?.string } == ["unopened"])
        #expect(place.openings.sorted() == ["closed", "start-login-main"])
        #expect(place.most == 1)
    }

    @Test func `the app is explored again only for a request with wider limits`() async throws {
        let place = CountedProbes()
        let application = Self.application([StartLoginMainApp.self], in: place)
        let first = await Self.map(of: "start-login-main", on: application)
        for query in ["states=500", "states=2000&depth=200", "seconds=60", "states=1000", "seconds=60"] {
            let again = await Self.map(of: "start-login-main", query, on: application)
            #expect(again.status == 200 && again.text == first.text, "\(query): \(again.text)")
        }
        #expect(place.openings.count == 3)
    }

    @Test(arguments: [
        ("states=499", "500 to 10000"), ("states=10001", "500 to 10000"), ("depth=x", "100 to 1000"),
        ("seconds=", "20 to 600"),
        ("seconds=601", "20 to 600"), ("time=60", "unknown parameter"),
    ])
    func `a request for the map gets 400 if its limits are too narrow or too wide`(query: String, words: String)
        async throws
    {
        let application = Self.application([StartLoginMainApp.self], in: CountedProbes())
        let answer = await Self.map(of: "start-login-main", query, on: application)
        #expect(answer.status == 400)
        #expect(answer.detail.contains(words), "\(answer.text)")
    }

    @Test func `the app is explored again if the first exploration could not start a process`() async throws {
        let place = CountedProbes(untried: 1)
        let application = Self.application([StartLoginMainApp.self], in: place)
        let first = await Self.map(of: "start-login-main", on: application)
        #expect(first["states"]?.elements.contains { _ in true } == false && first.text.contains("no process"))
        #expect(await Self.map(of: "start-login-main", on: application)["complete"]?.boolean == true)
        #expect(await Self.map(of: "start-login-main", on: application)["complete"]?.boolean == true)
        #expect(place.openings.count == 2)
    }

    @Test func `a request for the map gets 404 for an unknown app, and 401 without the operator's token`() async throws
    {
        try await serve([StartLoginMainApp.self]) { stage in
            let answer = try await stage.request(.get, "/admin/apps/none/map")
            #expect(answer.status == 404)
            #expect(answer.detail.contains("there is no app \"none\""))
            #expect(try await stage.request(.get, "/admin/apps/none/map", asOperator: false).status == 401)
        }
    }

    @Test(arguments: ["points=1", "points=2001", "points=x"])
    func `a request for a session's walk gets 400 if the number of points is invalid`(query: String) async throws {
        try await serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            #expect(try await stage.request(.get, "/admin\(walk.path)/walk", query: query).status == 400)
            let none = "/admin/sessions/\(String(repeating: "0", count: 32))/walk"
            #expect(try await stage.request(.get, none).status == 404)
        }
    }

    @Test func `the walk of a long session contains only the newest revisions`() async throws {
        try await serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            for _ in 1...3 {
                try await walk.send("startApp")
                try await walk.back()
            }
            let points = try await stage.request(.get, "/admin\(walk.path)/walk", query: "points=3")["points"]
            #expect(points?.elements.compactMap { $0[member: "revision"]?.integer } == [5, 6, 7])
        }
    }

    private func serve(_ apps: [any App.Type], _ body: (Stage) async throws -> Void) async throws {
        let application = Self.application(apps)
        try await body(Stage(lines: LogLines()) { request in await application.respond(to: request) })
    }

    private static func application(_ apps: [any App.Type], in place: (any ProbePlace)? = nil) -> Application {
        let environment = ServerEnvironment(probes: { place ?? ProbesInProcess($0) })
        return Application(apps: apps, options: .test, environment: environment, log: Log(.text, sink: { _ in }))
    }

    private static func map(of app: String, _ query: String? = nil, on application: Application) async -> Answer {
        let headers: HeaderFields = ["Authorization": "Bearer \(LocalhostClient.operatorToken)"]
        return Answer(
            await application.respond(
                to: Request(.get, path: "/admin/apps/\(app)/map", query: query, headers: headers)))
    }
}

/// A place for probes in this process, which records the explorations.
private final class CountedProbes: ProbePlace {
    private let counts = Mutex<(openings: [String], running: Set<String>, most: Int)>(([], [], 0))
    private let untried: Int

    /// - Parameter untried: The number of openings that cannot be tried.
    init(untried: Int = 0) {
        self.untried = untried
    }

    var width: Int { 1 }
    /// The names of the explored apps, one for each exploration.
    var openings: [String] { counts.withLock { $0.openings } }
    /// The maximum number of apps that were explored at the same time.
    var most: Int { counts.withLock { $0.most } }

    func findings(of probes: [InputProbe]) async -> [ProbeFinding] {
        guard let app = probes.first?.opening.app else { return [] }
        counts.withLock { counts in
            if probes.contains(where: \.way.isEmpty), probes.contains(where: { $0.input == nil }) {
                counts.openings.append(app)
            }
            counts.running.insert(app)
            counts.most = max(counts.most, counts.running.count)
        }
        await Task.yield()
        defer { counts.withLock { _ = $0.running.remove(app) } }
        if openings.count <= untried { return probes.map { _ in .untried(reason: "no process") } }
        let type: any App.Type = app == "closed" ? ClosedApp.self : StartLoginMainApp.self
        return await ProbesInProcess(type).findings(of: probes)
    }
}

/// An app that cannot be opened.
private enum ClosedApp: App {
    struct Options: Codable, Sendable {}

    static var options: Options { Options() }

    static func root(_ options: Options) throws -> sending AnyCoordinator {
        throw Refusal("closed for today")
    }
}
