public import Testing
public import Usher
import UsherJSON

/// One session of an app, driven by a test.
///
/// ```swift
/// @Test func signsIn() throws {
///     let app = try AppUnderTest(ShopApp.self, options: .init(loggedIn: false))
///     app.send("showLogin")
///     app.expectStack("n[shop] ⊕ fullScreen[login]")
///     app.send(.login(name: "kim", password: "usher"), on: LoginScreen.self)
///     app.expectStack("n[shop]")
///     app.expectTree("App→[Shop]")
/// }
/// ```
///
/// Only the opening throws. Every other failure is recorded as an issue at the line of the expectation, and the test
/// continues. The issue marks the difference between the expected and the found text.
///
/// After each input, the test makes four checks: the coordinators and view models that left are deallocated; there is
/// no warning; if the input is an accepted event, it is among its screen's `examples`; and if the app lists its
/// screens, the list contains the visible screen. At the end of the test, the whole session is replayed and then ended.
/// This happens in `finishTest()`, or when the object is deallocated. All methods have a parameter `sourceLocation`:
/// the location at which an issue is recorded.
///
/// The session's clock moves only in `advance(by:)`, and the seed is fixed. Therefore a test does the same every time.
public final class AppUnderTest {
    let driver: any AppDriver
    /// The driver of an app in this process, whose effects and clock the test controls; nil if there is another driver.
    let local: TreeDriver?
    private let opened: SourceLocation
    private(set) var state: JSONValue?
    private(set) var report: JSONValue?
    /// The newest input, as a client would send it.
    private(set) var input = "the opening"
    /// The results of the inputs in the body of an `expect…` method; nil outside of such a body.
    private(set) var attempts: Attempts?
    private var leaksKnown = 0
    var ownFindings: OwnFindings
    private var isFinished = false

    /// Opens a session in this process.
    ///
    /// - Parameters:
    ///   - options: The options that a client sends at the opening; nil for the app's own.
    ///   - link: A deep link to begin with: the flows from the root down, as for `open`.
    ///   - client: The client that opens the session; by default one that can draw everything.
    ///   - seed: The seed of the session's random numbers.
    ///   - time: The time of the session's clock.
    ///   - limits: The limits of the session's size; nil for the app's own, as a server sets them by default.
    ///   - services: The services that the app's effects use; nil for the app's own.
    ///   - unknownChanges: Names of `App.changes` that the session's coordinators do not know, to test the behaviour
    ///     before them.
    ///   - knownZombies: The types of the app's own coordinators whose zombies are not issues.
    ///   - app: The app's type.
    ///   - sourceLocation: The location at which an issue is recorded.
    /// - Throws: `Rejection` or `Refusal` if the app does not open.
    public convenience init<A: App>(
        _ app: A.Type, options: A.Options? = nil, link: [any Encodable] = [], client: Client = Client(),
        seed: UInt64 = 1, time: Timestamp = Timestamp(milliseconds: 0), limits: Limits? = nil,
        services: A.Services? = nil, unknownChanges: Set<String> = [], knownZombies: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let steps = try link.map { try TestJSON.revealingJSON($0) }
        try self.init(
            app, optionsJSON: try options.map { try TestJSON.revealingJSON($0) } ?? "{}",
            linkJSON: "[\(steps.joined(separator: ","))]", client: client, seed: seed, time: time, limits: limits,
            services: services, unknownChanges: unknownChanges, knownZombies: knownZombies,
            sourceLocation: sourceLocation)
    }

    /// Opens a session in this process, with options and a link in the form that a client sends.
    ///
    /// `optionsJSON` is an object such as `{"loggedIn":true}`. `linkJSON` is a list of flows from the root down, such
    /// as `["tabBar",{"chat":{"id":1}}]`. The other parameters are those of the initializer with typed options.
    ///
    /// - Throws: `JSONError` for JSON that is malformed or does not decode; `Rejection` or `Refusal` if the app does
    ///   not open.
    public convenience init<A: App>(
        _ app: A.Type, optionsJSON: String, linkJSON: String = "[]", client: Client = Client(), seed: UInt64 = 1,
        time: Timestamp = Timestamp(milliseconds: 0), limits: Limits? = nil,
        services: A.Services? = nil, unknownChanges: Set<String> = [], knownZombies: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let steps = Array(try JSONDocument(parsing: Array(linkJSON.utf8)).root.elements)
        let driver = try TreeDriver(at: time, screens: A.screens, services: { try services ?? A.services() }) {
            handling in
            try Tree(
                opening: app, options: Array(optionsJSON.utf8), seed: seed, time: time, link: steps,
                handling: handling, limits: limits, client: client,
                knowing: A.changes.filter { !unknownChanges.contains($0) })
        }
        try self.init(driving: driver, knownZombies: knownZombies, sourceLocation: sourceLocation)
    }

    /// Drives a session that was just opened elsewhere; throws an error if there is no answer.
    ///
    /// `knownZombies` has the types of the app's own coordinators whose zombies are not issues.
    public init(
        driving driver: any AppDriver, knownZombies: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        ownFindings = OwnFindings(knownZombies: knownZombies)
        self.driver = driver
        local = driver as? TreeDriver
        opened = sourceLocation
        try refresh()
        check(at: sourceLocation)
    }

    deinit {
        finishTest(sourceLocation: opened)
    }

    /// Replays all inputs and expects the same states, then ends the session and expects no object to stay in memory.
    ///
    /// Further calls have no effect. If a test does not call this method, the same checks run when the object is
    /// deallocated, and issues are recorded at the line that opened the session.
    public func finishTest(sourceLocation: SourceLocation = #_sourceLocation) {
        guard !isFinished else { return }
        isFinished = true
        do {
            if let mismatch = try driver.replay() { record(mismatch, sourceLocation) }
            for type in ownFindings.missingZombies {
                record(
                    "\(type) is among the `knownZombies`, but was not a zombie: remove \(type) from the `knownZombies`",
                    at: sourceLocation)
            }
            check(try driver.end(), atEnd: sourceLocation)
        } catch {
            record("the session could not be ended: \(error)", at: sourceLocation)
        }
    }

    func refresh() throws {
        state = try JSONDocument(written: try driver.state).root
        report = try driver.report.map { try JSONDocument(written: $0).root }
    }

    func begin(_ input: String) {
        self.input = input
        attempts?.inputs += 1
    }

    /// Runs the body of an `expect…` method, without recording refusals and warnings in the body as issues.
    ///
    /// If `takingFindings` is true, leaks and zombies in the body are not recorded either.
    func attempt(
        takingFindings: Bool = false, _ body: (AppUnderTest) throws -> Void
    ) rethrows -> Attempts {
        let outer = attempts
        attempts = Attempts(takesFindings: takingFindings || outer?.takesFindings == true)
        defer { attempts = outer?.taking(takingFindings ? [] : attempts?.findings ?? []) }
        try body(self)
        return attempts ?? Attempts()
    }

    /// Notes a refusal or warnings in the results of the current `expect…` body; returns false outside of a body.
    func noteAttempt(_ note: (inout Attempts) -> Void) -> Bool {
        guard var noted = attempts else { return false }
        note(&noted)
        attempts = noted
        return true
    }

    func takeNewLeaks() -> ArraySlice<JSONValue> {
        let leaks = report?[member: "leaks"].map { Array($0.elements) } ?? []
        defer { leaksKnown = leaks.count }
        return leaks.dropFirst(leaksKnown)
    }

    /// Records a finding among the app's own coordinators, or collects the finding if the test expects findings.
    ///
    /// Only the first of each type and kind is recorded, so that many findings of one kind do not hide the others.
    func record(_ finding: OwnFindings.Finding, at sourceLocation: SourceLocation) {
        guard attempts?.takesFindings == true || ownFindings.isFirst(finding) else { return }
        record(finding: finding.sentence, at: sourceLocation)
    }

    /// Records a leak or a zombie as an issue, or collects the finding if the test expects findings.
    func record(finding: String, at sourceLocation: SourceLocation) {
        if attempts?.takesFindings == true {
            attempts?.findings.append(finding)
        } else {
            record(finding, at: sourceLocation)
        }
    }

    func record(_ message: String, at sourceLocation: SourceLocation) {
        Issue.record("after \(input): \(message)", sourceLocation: sourceLocation)
    }
}

extension AppUnderTest {
    /// The screens on display, from bottom to top.
    public var screens: [ShownScreen] {
        state?[member: "stack"]?.elements.map(ShownScreen.init) ?? []
    }

    /// The topmost screen, the only screen that is completely visible and can send events.
    public var visible: ShownScreen? { screens.last }

    /// The number of accepted inputs, including the opening.
    public var revision: Int { state?[member: "revision"]?.integer ?? 0 }

    /// All stacks, including those of hidden tabs, such as `n[start, login]`.
    ///
    /// An app with tabs has `tab(home){home[home, search], chat[chatList]} ⊕ fullScreen[login]`.
    public var stack: String { report?.stackNotation ?? "n[]" }

    /// The coordinator tree, in which each type lacks the suffix `Coordinator`: `App→[TabBar→[Home, Chat]]`.
    public var tree: String { report?[member: "root"]?.treeNotation ?? "" }

    /// The names of the effects, timers and links that the session waits for: `timer` for a timer, `open` for a link.
    public var pending: [String] {
        state?[member: "pending"]?.elements.compactMap(\.string) ?? []
    }

    /// The changes that the newest input made, as JSON: `[{"pop":[2]},{"push":[3]}]`.
    public var changes: String { text("changes") }

    /// The state of the back button, as JSON: `true`, `false`, or `{"refused":"why"}`.
    public var backState: String { text("back") }

    /// The engine's warnings since the newest input.
    public var warnings: [String] {
        state?[member: "warnings"]?.elements.compactMap(\.string) ?? []
    }

    var ending: String { state?[member: "ended"]?.text ?? "it goes on" }

    private func text(_ member: String) -> String {
        state?[member: member]?.text ?? ""
    }
}

/// The results of the inputs in the body of an `expect…` method.
struct Attempts {
    var inputs = 0
    var rejections: [Rejection] = []
    var warnings: [String] = []
    /// The leaks and zombies in the body, if the method expects leaks or zombies.
    var findings: [String] = []
    let takesFindings: Bool

    init(takesFindings: Bool = false) {
        self.takesFindings = takesFindings
    }

    /// Returns a copy to which the findings of a nested body are added.
    func taking(_ findings: [String]) -> Attempts {
        var attempts = self
        attempts.findings += findings
        return attempts
    }
}
