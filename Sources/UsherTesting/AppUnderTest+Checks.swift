import Testing
import Usher
import UsherJSON

extension AppUnderTest {
    func send(json event: String, from screen: Int?, _ sourceLocation: SourceLocation) {
        let sender = visible
        let from = screen.map { #""screen":\#($0),"# } ?? ""
        guard handle(#"{\#(from)"event":\#(event)}"#, sourceLocation) else { return }
        checkExamples(of: sender, name: TestJSON.caseName(event), sourceLocation)
    }

    /// Sends an input and makes the checks that follow every input; returns whether the input was accepted.
    @discardableResult
    func handle(_ action: String, _ sourceLocation: SourceLocation) -> Bool {
        take(action, sourceLocation) { try driver.handle(Array(action.utf8)) }
    }

    /// Sends the end of work.
    ///
    /// In the body of an `expect…` method, a failure of the work's closure counts as a refusal, with a warning.
    func end(_ work: Work, _ content: InputContent, _ sourceLocation: SourceLocation) {
        take("the end of \(work.name) \(work.id)", countsRefused: attempts != nil, sourceLocation) {
            try handle(content)
        }
    }

    func tell(_ message: String, _ sourceLocation: SourceLocation) {
        take("the message \(message)", sourceLocation) {
            try handle(.message(try JSONDocument(parsing: Array(message.utf8)).root))
        }
    }

    func tell(_ dropped: Dropped, _ sourceLocation: SourceLocation) {
        let resumption = Resumption(after: revision, reason: "the test dropped inputs", dropped: dropped)
        take("the resumption", sourceLocation) {
            guard let local else {
                throw DriverFailure(
                    "a test against a server cannot resume a session; the server resumes sessions after a release")
            }
            return try local.resume(resumption)
        }
    }

    private func handle(_ content: InputContent) throws -> Rejection? {
        guard let local else { throw DriverFailure("a test against a server can send only inputs of clients") }
        return try local.handle(content)
    }

    @discardableResult
    private func take(
        _ input: String, countsRefused: Bool = false, _ sourceLocation: SourceLocation,
        by handle: () throws -> Rejection?
    ) -> Bool {
        begin(input)
        do {
            let rejection = try handle()
            try refresh()
            if let rejection, !countsRefused { note(rejection, sourceLocation) } else { check(at: sourceLocation) }
            return rejection == nil
        } catch {
            record("the server did not answer: \(error)", at: sourceLocation)
            return false
        }
    }

    /// Checks that the coordinators and view models that left are deallocated, and that there were no warnings.
    func check(at sourceLocation: SourceLocation) {
        let leaks = takeNewLeaks()
        let holders = holders(of: leaks.count, atEnd: false)
        for (index, leak) in leaks.enumerated() {
            let type = leak[member: "type"]?.string ?? ""
            let path = leak[member: "coordinator"]?.string ?? ""
            let holder = leak[member: "holder"]?.string ?? holders[index]
            record(
                finding: "\(type) (\(path)) was removed but is still in memory: held by \(holder)", at: sourceLocation)
        }
        for finding in ownFindings.takeNew(in: report) { record(finding, at: sourceLocation) }
        checkCount(at: sourceLocation)
        if let type = local?.takeUnlistedScreen() {
            record(
                "the screen \"\(type.name)\" is not among the app's `screens`; add \(type).self, so that clients know the screen",
                at: sourceLocation)
        }
        let warnings = warnings
        guard !noteAttempt({ $0.warnings += warnings }) else { return }
        for warning in warnings { record("the engine warns: \(warning)", at: sourceLocation) }
    }

    func check(_ leaks: [String], atEnd sourceLocation: SourceLocation) {
        // An object whose leak was reported may retain further objects, such as its navigation with all screens.
        guard !ownFindings.haveLeaks else { return }
        for (leak, holder) in zip(leaks, holders(of: leaks.count, atEnd: true)) {
            record("the session has ended, but \(leak) is still in memory: held by \(holder)", at: sourceLocation)
        }
    }

    /// Returns the holders of a number of leaks; unknown here for an app on a server, which reports the holders later.
    private func holders(of count: Int, atEnd isEnd: Bool) -> [String] {
        guard count > 0 else { return [] }
        let found = local?.findHolders(ofEnd: isEnd) ?? []
        let unknown = local == nil ? "something" : "something outside the app: the test itself, or a global"
        return (0..<count).map { $0 < found.count ? found[$0] : unknown }
    }

    private func checkCount(at sourceLocation: SourceLocation) {
        guard let root = report?[member: "root"], root.kind == .object else { return }
        let live = report?[member: "coordinators"]?[member: "live"]?.integer ?? 0
        guard live != root.coordinatorCount else { return }
        record("\(live) coordinators are in memory, but \(root.coordinatorCount) are in the tree", at: sourceLocation)
    }

    private func checkExamples(of sender: ShownScreen?, name: String, _ sourceLocation: SourceLocation) {
        guard let sender, !sender.events.contains(name) else { return }
        let known = sender.events.isEmpty ? "none" : sender.events.joined(separator: ", ")
        record(
            """
            the screen "\(sender.name)" accepted the event "\(name)", but no example shows this event to clients; add the \
            event to the screen's `examples` (now: \(known))
            """, at: sourceLocation)
    }

    private func note(_ rejection: Rejection, _ sourceLocation: SourceLocation) {
        guard !noteAttempt({ $0.rejections.append(rejection) }) else { return }
        record("the input was rejected \(rejection.words)", at: sourceLocation)
    }

    func record(_ mismatch: ReplayMismatch, _ sourceLocation: SourceLocation) {
        let difference = Difference(
            labels: ("at first", "replayed"), expected: mismatch.first, found: mismatch.second)
        Issue.record(
            """
            when the session was replayed, \(mismatch.input) had another result: take time and randomness from the \
            coordinator (`now`, `random`), and keep no state in globals
            \(difference)\(UnrepeatableCode(near: sourceLocation).note)
            """, sourceLocation: sourceLocation)
    }
}
