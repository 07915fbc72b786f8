import Testing
import Usher
import UsherJSON

extension AppUnderTest {
    func send(json event: String, from screen: Int?, _ sourceLocation: SourceLocation) {
        let sender = visible
        let from = screen.map { #""screen":\#($0),"# } ?? ""
        guard handle(#"{\#(from)"event":\#(event)}"#, sourceLocation) else { return }
        checkExamples(of: sender, name: Text.caseName(event), sourceLocation)
    }

    /// Hands an input over, and checks what must hold after every one.
    ///
    /// - Returns: Whether it was accepted.
    @discardableResult
    func handle(_ action: String, _ sourceLocation: SourceLocation) -> Bool {
        take(action, sourceLocation) { rejection in
            if let rejection { note(rejection, sourceLocation) } else { check(at: sourceLocation) }
        } by: {
            try driver.handle(Array(action.utf8))
        }
    }

    /// Hands over the end of some work: where its closure fails it counts all the same, as refused, with a warning.
    func end(_ work: Work, _ content: InputContent, _ sourceLocation: SourceLocation) {
        take("the end of \(work.name) \(work.id)", sourceLocation) { rejection in
            if let rejection, attempts == nil { note(rejection, sourceLocation) } else { check(at: sourceLocation) }
        } by: {
            try driver.handle(content)
        }
    }

    /// Hands a message over.
    func tell(_ message: String, _ sourceLocation: SourceLocation) {
        take("the message \(message)", sourceLocation) { rejection in
            if let rejection { note(rejection, sourceLocation) } else { check(at: sourceLocation) }
        } by: {
            try driver.handle(.message(try JSONDocument(parsing: Array(message.utf8)).root))
        }
    }

    @discardableResult
    private func take(
        _ input: String, _ sourceLocation: SourceLocation, check: (Rejection?) -> Void,
        by handle: () throws -> Rejection?
    ) -> Bool {
        self.input = input
        attempts?.inputs += 1
        do {
            let rejection = try handle()
            try refresh()
            check(rejection)
            return rejection == nil
        } catch {
            record("there was no answer: \(error)", at: sourceLocation)
            return false
        }
    }

    /// Checks that nothing which left is still there, and that the author was not warned.
    func check(at sourceLocation: SourceLocation) {
        let leaks = report?[member: "leaks"].map { Array($0.elements) } ?? []
        for leak in leaks.dropFirst(leaksKnown) {
            let type = leak[member: "type"]?.string ?? ""
            let path = leak[member: "coordinator"]?.string ?? ""
            record("\(type) (\(path)) has left but is still in memory: something holds it", at: sourceLocation)
        }
        leaksKnown = leaks.count
        checkCount(at: sourceLocation)
        let warnings = warnings
        if attempts != nil {
            attempts?.warnings += warnings
        } else {
            for warning in warnings { record("the engine warns: \(warning)", at: sourceLocation) }
        }
    }

    private func checkCount(at sourceLocation: SourceLocation) {
        guard let root = report?[member: "root"], root.kind == .object else { return }
        let live = report?[member: "coordinators"]?[member: "live"]?.integer ?? 0
        guard live != root.coordinatorCount else { return }
        record("\(live) coordinators live, but \(root.coordinatorCount) are in the tree", at: sourceLocation)
    }

    private func checkExamples(of sender: ShownScreen?, name: String, _ sourceLocation: SourceLocation) {
        guard let sender, !sender.events.contains(name) else { return }
        let known = sender.events.isEmpty ? "none" : sender.events.joined(separator: ", ")
        record(
            """
            the screen "\(sender.name)" took the event "\(name)", which its examples do not show to clients; add a \
            case of it to its `examples` (they name: \(known))
            """, at: sourceLocation)
    }

    private func note(_ rejection: Rejection, _ sourceLocation: SourceLocation) {
        guard attempts == nil else {
            attempts?.rejections.append(rejection)
            return
        }
        let cause = rejection.cause.map { " (\($0))" } ?? ""
        record("it did not count (\(rejection.kind)): \(rejection.reason)\(cause)", at: sourceLocation)
    }
}
