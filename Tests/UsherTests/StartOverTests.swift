import Testing
import Usher
import UsherJSON

@Suite("A root coordinator that starts over")
struct StartOverTests {
    @Test func `a new root coordinator begins with the former root's options, and revisions and ids continue`() throws {
        let walker = try opened()
        try walker.send("sheet")
        #expect(try walker.stack == ["round#1", "round#2"])
        try walker.send("again")
        #expect(walker.tree.revision == 3)
        #expect(try walker.stack == ["round#3"])
        #expect(try walker.text("stack").contains(#""round":1"#))
        #expect(walker.tree.newBeginning?.revision == 3)
        try walker.send("sheet")
        #expect(try walker.stack == ["round#3", "round#4"])
        #expect(walker.tree.newBeginning == nil, "the previous input began the history")
        try walker.send("again")
        #expect(try walker.text("stack").contains(#""round":2"#))
        #expect(try walker.stack == ["round#5"])
    }

    @Test func `starting over releases all coordinators of the earlier history`() throws {
        let walker = try opened()
        for _ in 1...3 { try walker.send("sheet") }
        try walker.send("again")
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 5, finished: 4, leaked: 0))
        #expect(walker.tree.leaks == [])
    }

    @Test func `a coordinator that stays in memory after the root starts over is reported as a leak`() throws {
        let walker = try opened()
        try walker.send("hoard")
        try walker.send("again")
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 3, finished: 2, leaked: 1))
        #expect(walker.tree.leaks.map(\.input) == ["event again"])
        #expect(walker.tree.leaks.map(\.revision) == [3])
    }

    @Test func `starting over cancels the former root's timers, and the new root's timer has a new id`() throws {
        let walker = try opened()
        try walker.send("wait")
        let timer = try #require(walker.tree.work.first)
        try walker.send("again")
        #expect(walker.tree.work.map(\.id) == [EffectID(revision: 3, index: 1)], "the new root also has a timer")
        #expect(try !walker.handle(.timer(timer.id)), "a timer that has gone does nothing")
    }

    @Test func `after a new start, the changes replace all the client's screens with the new root's screen`()
        throws
    {
        let walker = try opened()
        try walker.send("sheet")
        try walker.send("again")
        #expect(try walker.text("changes") == #"[{"replace":{"out":[2,1],"in":[3]}}]"#)
    }

    @Test func `a new start's changes list a screen as removed, even if the same input closed the screen before`()
        throws
    {
        let walker = try opened()
        try walker.send("sheet")
        walker.tree.noteDisplay()
        try walker.send("closeAndAgain")
        #expect(try walker.text("changes") == #"[{"replace":{"out":[2,1],"in":[3]}}]"#)
    }

    @Test func `a new start's changes omit a screen that only the same input had shown`() throws {
        let walker = try opened()
        try walker.send("sheetAndAgain")
        #expect(try walker.text("changes") == #"[{"replace":{"out":[1],"in":[3]}}]"#)
    }

    @Test func `inputCount counts only the inputs since the root started over, also in a replay`() throws {
        let walker = try opened()
        #expect(try walker.text("stack").contains(#""inputs":1"#), "the creation")
        for count in 2...4 {
            try walker.send("count")
            #expect(try walker.text("stack").contains(#""rolled":\#(count)"#))
        }
        try walker.send("again")
        #expect(try walker.text("stack").contains(#""inputs":1"#), "the new creation")
        let beginning = try #require(walker.tree.newBeginning)
        let twin = Walker(try begun(beginning, on: walker.tree))
        for tree in [walker, twin] {
            try tree.send("count")
            #expect(try tree.text("stack").contains(#""rolled":2"#))
        }
        #expect(RoundCoordinator(RoundApp.Options()).inputCount == 0, "the coordinator is in no tree")
    }

    @Test func `a root can start over even if a replay has deferred an effect, which then never begins`() throws {
        let tree = try tree()
        _ = try tree.handle(input(#"{"event":"run"}"#), isRecorded: true)
        #expect(tree.identify([]).isEmpty)
        #expect(!tree.hasWork && !tree.pendingRecordedWork.contains { !$0.isTimer })
        _ = try tree.handle(input(#"{"event":"again"}"#))
        #expect(tree.newBeginning?.revision == 3)
        #expect(tree.work.map(\.id) == [EffectID(revision: 3, index: 1)], "the new root's timer")
    }

    @Test(arguments: [false, true])
    func `after a new start, the notice of a resumption stays until the next input of a client is answered`(
        isClient: Bool
    )
        throws
    {
        let walker = try opened()
        try walker.send("sheet")
        try walker.tree.resume(
            at: 4, identifiers: walker.tree.identifiers,
            as: Resumption(after: 2, reason: "a reason", dropped: Dropped()), time: Timestamp(milliseconds: 2_000))
        let notice = #"{"revision":2,"reason":"a reason","dropped":{"inputs":0,"#
        if isClient {
            try walker.send("again")
        } else {
            try walker.handle(.message(try JSONDocument(parsing: Array(#""again""#.utf8)).root))
        }
        #expect(try walker.text("resumed").hasPrefix(notice))
        let beginning = try #require(walker.tree.newBeginning)
        let twin = Walker(try begun(beginning, on: walker.tree))
        #expect(try twin.state.bytes == walker.state.bytes)
        for tree in [walker, twin] {
            try tree.send("roll")
            #expect(try tree.text("resumed").isEmpty == isClient)
            try tree.send("again")
            #expect(try tree.text("resumed").isEmpty)
        }
    }

    @Test(arguments: [
        ("run", "RoundCoordinator: startOver(with:) must wait for the result of the effect \"round\""),
        ("runAndAgain", "RoundCoordinator: startOver(with:) must wait for the result of the effect \"round\""),
        ("wrong", "RoundCoordinator: startOver(with:) takes RoundApp.Options, not NoOptions"),
        ("child", "ChildCoordinator: only the root coordinator can start over"),
        ("loop", "RoundCoordinator: startOver(with:) must not be called in the input that starts the root"),
        ("refuse", "this round is refused"),
    ])
    func `if startOver(with:) fails, the input is refused with the reason, and the tree is unchanged`(
        event: String, reason: String
    ) throws {
        var rehearsal = try rehearsal()
        if event == "run" { _ = try rehearsal.handle(input(#"{"event":"run"}"#)) }
        let before = rehearsal.tree.digest
        let sent = event == "run" ? "again" : event
        let rejection = #expect(throws: Rejection.self) {
            try rehearsal.handle(input(#"{"event":"\#(sent)"}"#))
        }
        #expect(rejection?.reason.contains(reason) ?? false, "\(rejection?.reason ?? "")")
        #expect(rehearsal.tree.digest == before)
        #expect(rehearsal.tree.leaks == [])
    }

    @Test func `a root may catch the error that startOver(with:) throws, and continue`() throws {
        let walker = try opened()
        try walker.send("run")
        try walker.send("tryAgain")
        #expect(try walker.stack == ["round#1", "round#2"])
        #expect(walker.tree.newBeginning == nil)
    }

    @Test func `after startOver(with:), the root can do nothing more in the same input, and a warning appears`() throws
    {
        let walker = try opened()
        try walker.send("againAndPush")
        #expect(try walker.stack == ["round#2"])
        #expect(try walker.text("warnings") == #"["RoundCoordinator has ended: `push` did nothing"]"#)
    }

    @Test func `a root can also start over in the closure of a timer or when it receives a message`() throws {
        let walker = try opened()
        try walker.handle(.message(try JSONDocument(parsing: Array(#""again""#.utf8)).root))
        #expect(try walker.text("stack").contains(#""round":1"#))
        let timer = try #require(walker.tree.work.first)
        try walker.handle(.timer(timer.id))
        #expect(try walker.text("stack").contains(#""round":2"#))
    }

    @Test func `after a new start, a tree is equal to the tree that a replay builds from the new beginning`() throws {
        let walker = try opened()
        for event in ["hoard", "sheet", "againAndPush"] { try walker.send(event) }
        let beginning = try #require(walker.tree.newBeginning)
        let twin = Walker(try begun(beginning, on: walker.tree))
        #expect(twin.tree.revision == walker.tree.revision)
        #expect(twin.tree.digest == walker.tree.digest)
        #expect(twin.tree.identifiers == walker.tree.identifiers)
        #expect(twin.tree.coordinatorCounts == walker.tree.coordinatorCounts)
        #expect(try twin.state.bytes == walker.state.bytes)
        #expect(try twin.report.bytes == walker.report.bytes)
        for event in ["roll", "sheet"] {
            try walker.send(event)
            try twin.send(event)
        }
        #expect(try twin.state.bytes == walker.state.bytes, "random numbers are those of the same revisions")
    }

    @Test func `a replay of all inputs repeats each new start`() throws {
        var rehearsal = try rehearsal()
        for event in ["sheet", "again", "roll", "again", "sheet"] {
            _ = try rehearsal.handle(input(#"{"event":"\#(event)"}"#))
        }
        #expect(try rehearsal.replay().digest == rehearsal.tree.digest)
    }

    @Test func `a waiting link is opened on the new root`() throws {
        var rehearsal = try rehearsal()
        _ = try rehearsal.handle(input(#"{"open":[{"far":{"after":1}}]}"#))
        #expect(try rehearsal.tree.text("pending") == #"["open"]"#)
        _ = try rehearsal.handle(input(#"{"event":"again"}"#))
        #expect(try rehearsal.tree.text("pending") == #"["timer"]"#)
        #expect(try rehearsal.tree.text("stack").contains(#""round":99"#), "the place that the link leads to")
    }

    @Test func `a waiting link continues to wait if the new root is not ready for the link`() throws {
        var rehearsal = try rehearsal()
        _ = try rehearsal.handle(input(#"{"open":[{"far":{"after":2}}]}"#))
        _ = try rehearsal.handle(input(#"{"event":"again"}"#))
        #expect(try rehearsal.tree.text("pending") == #"["timer","open"]"#)
        let beginning = try #require(rehearsal.tree.newBeginning)
        #expect(beginning.link.count == 1)
        let twin = try begun(beginning, on: rehearsal.tree)
        #expect(try twin.text("pending") == #"["timer","open"]"#)
        _ = try rehearsal.handle(input(#"{"event":"again"}"#))
        #expect(try rehearsal.tree.text("stack").contains(#""round":99"#))
    }

    @Test func `a waiting link is dropped, with a warning, if the new root refuses the link`() throws {
        var rehearsal = try rehearsal()
        _ = try rehearsal.handle(input(#"{"open":[{"far":{"after":-1}}]}"#))
        #expect(try rehearsal.tree.text("pending") == #"["open"]"#)
        _ = try rehearsal.handle(input(#"{"event":"again"}"#))
        #expect(try rehearsal.tree.text("pending") == #"["timer"]"#)
        #expect(try rehearsal.tree.text("warnings") == #"["the waiting link was dropped: there is no such place"]"#)
        let beginning = try #require(rehearsal.tree.newBeginning)
        #expect(beginning.link.isEmpty)
        #expect(try begun(beginning, on: rehearsal.tree).text("warnings") == rehearsal.tree.text("warnings"))
    }

    @Test func `a secret in the options of a new start can be erased when the new root releases the secret`() throws {
        let walker = try opened(#"{"password":"hunter2"}"#)
        #expect(!walker.tree.inputSecrets.isEmpty)
        try walker.send("sheet")
        try walker.send("again")
        let beginning = try #require(walker.tree.newBeginning)
        #expect(String(decoding: beginning.options, as: UTF8.self).contains("hunter2"))
        var writer = JSONWriter()
        let places = walker.tree.inputSecrets.write(options: beginning.options, into: &writer)
        #expect(places.map { String(decoding: writer.bytes[$0], as: UTF8.self) } == [#""hunter2""#])
        #expect(walker.tree.takeErasableRevisions() == [], "the new root retains the secret")
        try walker.send("forget")
        #expect(walker.tree.takeErasableRevisions() == [3])
    }

    @Test func `a root coordinator without an app cannot start over`() throws {
        let walker = try Walker(RoundCoordinator(RoundApp.Options()))
        let rejection = try #require(try walker.rejection(of: #"{"event":"again"}"#))
        #expect(rejection.reason.contains("needs a session of an App"))
    }

    private func opened(_ options: String = "{}") throws -> Walker {
        Walker(try tree(options))
    }

    private func rehearsal() throws -> Rehearsal { try Rehearsal { try tree(handling: $0) } }

    private func tree(_ options: String = "{}", handling: LinkHandling = .follow) throws -> Tree {
        try Tree(
            opening: RoundApp.self, options: Array(options.utf8), seed: 7, time: Timestamp(milliseconds: 0),
            handling: handling)
    }

    /// Returns the tree that a replay from the beginning of a history builds.
    private func begun(_ beginning: NewBeginning, on tree: Tree) throws -> Tree {
        var writer = JSONWriter()
        let recorded = beginning.origin(on: tree)
        recorded.write(into: &writer)
        let origin = try TreeOrigin(
            try JSONDocument(parsing: writer.bytes).root, at: beginning.revision, from: recorded.identifiers)
        #expect(origin == recorded)
        return try Tree(
            opening: beginning.app, options: beginning.options, seed: tree.seed, time: Timestamp(milliseconds: 3_000),
            link: beginning.link, handling: beginning.isLinkKept ? .keep : .follow, isReplayed: true, at: origin)
    }

    private func input(_ action: String) throws -> Input {
        Input(
            try InputAction(try JSONDocument(parsing: Array(action.utf8)).root), at: Timestamp(milliseconds: 1_000))
    }
}

/// An app whose root starts over in every possible way.
private enum RoundApp: App {
    struct Options: Codable, Sendable {
        var round = 0
        var loops = false
        var refuses = false
        var password: Secret<String>?
    }

    static var options: Options { Options() }

    static func root(_ options: Options) throws -> sending AnyCoordinator {
        guard !options.refuses else { throw Refusal("this round is refused") }
        return RoundCoordinator(options)
    }
}

private struct RoundScreen: Screen {
    enum Event: String, Codable, CaseIterable {
        case again, againAndPush, tryAgain, wrong, loop, refuse, child, sheet, hoard, wait, run, runAndAgain, roll,
            forget, closeAndAgain, sheetAndAgain, count
    }

    var round: Int
    var rolled = 0
    var inputs = 0
}

private struct RoundEffect: Effect {
    static var name: String { "round" }

    func run(_ context: EffectContext<NoServices>) async throws -> Int { 0 }
}

private final class RoundCoordinator: Coordinator<Never>, FlowHost, MessageReceiver {
    enum Flow: Codable {
        case far(after: Int)
    }

    static let examples: [Flow] = [.far(after: 1)]
    static let messageExamples = ["again"]

    private var options: RoundApp.Options
    private var screen: Handle<RoundScreen>?
    private weak var sheet: ChildCoordinator?

    init(_ options: RoundApp.Options) {
        self.options = options
    }

    override func start() throws {
        screen = push(RoundScreen(round: options.round, inputs: inputCount)) { me, event in try me.handle(event) }
        if options.loops { try startOver(with: options) }
        if options.round > 0 { after(.seconds(60)) { me in try me.startOver(with: me.next) } }
    }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        guard case .far(let round) = flow else { return nil }
        if round < 0, options.round > 0 { throw Refusal("there is no such place") }
        guard options.round >= abs(round) else { throw Later() }
        push(RoundScreen(round: 99)) { _, _ in }
        return nil
    }

    func receive(_ message: String) throws { try startOver(with: next) }

    private var next: RoundApp.Options {
        var next = options
        next.round += 1
        return next
    }

    private func showSheet() {
        let child = ChildCoordinator { [weak self] event in try self?.handle(event) }
        start(child)
        sheet = child
    }

    private func handle(_ event: RoundScreen.Event) throws {
        switch event {
        case .again: try startOver(with: next)
        case .againAndPush:
            try startOver(with: next)
            push(RoundScreen(round: -1)) { _, _ in }
        case .tryAgain:
            do { try startOver(with: next) } catch { push(RoundScreen(round: 0)) { me, event in try me.handle(event) } }
        case .wrong: try startOver(with: NoOptions())
        case .loop:
            var next = next
            next.loops = true
            try startOver(with: next)
        case .refuse:
            var next = next
            next.refuses = true
            try startOver(with: next)
        case .child: start(ChildCoordinator(mode: .startsOver))
        case .sheet: showSheet()
        case .closeAndAgain:
            sheet?.cancel()
            try startOver(with: next)
        case .sheetAndAgain:
            showSheet()
            try startOver(with: next)
        case .count: screen?.update { $0.rolled = inputCount }
        case .hoard:
            let child = ChildCoordinator { [weak self] event in try self?.handle(event) }
            child.itself = child
            start(child)
        case .wait: after(.seconds(60)) { _ in }
        case .run: perform(RoundEffect()) { _, _ in }
        case .runAndAgain:
            perform(RoundEffect()) { _, _ in }
            try startOver(with: next)
        case .roll: screen?.update { $0.rolled = Int.random(in: 1...1_000_000, using: &random) }
        case .forget: options.password = nil
        }
    }
}

private final class ChildCoordinator: Coordinator<Never> {
    enum Mode { case startsOver, shows }

    var itself: ChildCoordinator?
    private let mode: Mode
    private let handle: (RoundScreen.Event) throws -> Void

    init(mode: Mode = .shows, _ handle: @escaping (RoundScreen.Event) throws -> Void = { _ in }) {
        (self.mode, self.handle) = (mode, handle)
    }

    override func start() throws {
        if mode == .startsOver { try startOver(with: RoundApp.Options()) }
        push(RoundScreen(round: 0)) { me, event in try me.handle(event) }
    }
}

extension Tree {
    fileprivate func text(_ member: String) throws -> String { try Walker(self).text(member) }
}
