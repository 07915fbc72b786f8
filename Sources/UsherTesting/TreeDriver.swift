import Usher
import UsherJSON

/// A driver that runs an app in the test's own process, without a server and without a lock.
final class TreeDriver: AppDriver {
    private var rehearsal: Rehearsal
    /// The opening and all accepted inputs, each with the state after it.
    private var history: [(input: String, state: String)]
    /// The screen types that the app lists, and the screen types that were already reported as missing in the list.
    private var knownScreens: Set<ObjectIdentifier>
    private let makeServices: () throws -> any Sendable
    private var services: (any Sendable)?
    private(set) var now: Timestamp

    /// Opens a session whose tree `open` builds at revision 1; `services` is called before the first effect runs.
    init(
        at time: Timestamp, screens: [any Screen.Type], services: @escaping () throws -> any Sendable,
        _ open: @escaping (LinkHandling) throws -> Tree
    ) throws {
        rehearsal = try Rehearsal(open)
        history = [("the opening", Self.state(of: rehearsal.tree))]
        knownScreens = Set(screens.map { ObjectIdentifier($0) })
        makeServices = services
        now = time
    }

    /// The maximum size of an effect's output, in bytes of JSON.
    var outputLimit: Int { rehearsal.tree.outputLimit }

    /// All pending work, ordered by id.
    var work: [Work] { rehearsal.tree.work }

    var state: [UInt8] { Array(Self.state(of: rehearsal.tree).utf8) }

    var report: [UInt8]? { JSONWriter.object { rehearsal.tree.writeReport(into: &$0) } }

    /// Handles an action, or another input in the journal's form.
    func handle(_ action: [UInt8]) throws -> Rejection? {
        if let resumption = Self.resumption(action) { return try resume(resumption) }
        let content: InputContent
        do throws(Rejection) {
            content = try Self.parse(action)
        } catch {
            return error
        }
        if case .action = content { return try handle(content, as: action) }
        let revision = rehearsal.tree.revision
        if let rejection = try handle(content) { return rejection }
        // A session ignores the end of work that is not pending, but a test that names work expects it to be pending.
        return rehearsal.tree.revision == revision ? Rejection(.stale, "no such effect or timer is pending") : nil
    }

    /// Handles an input that a client cannot send.
    ///
    /// - Returns: The reason why the input was rejected; nil if it was accepted. If the closure of ended work failed,
    ///   the work counts as refused, and the reason of the failure is returned.
    func handle(_ content: InputContent) throws(Rejection) -> Rejection? {
        let input = JSONWriter.bytes { _ = content.write(into: &$0) }
        guard let rejection = try handle(content, as: input) else { return nil }
        // As in a session, the closure receives the refusal as a failure. After a second failure, nothing more is sent.
        if case .refused = content { return rejection }
        guard let refused = content.refused(rejection.reason) else { return rejection }
        let next = try handle(refused)
        if case .refused = refused, let next { return next }
        return rejection
    }

    /// Resumes the session as if this build had dropped inputs; returns the root coordinator's failure, if any.
    func resume(_ resumption: Resumption) throws(Rejection) -> Rejection? {
        do throws(Rejection) { try rehearsal.resume(resumption, at: now) } catch {
            if rehearsal.tree.isBroken { throw error }
            return error
        }
        history.append(("the resumption", Self.state(of: rehearsal.tree)))
        return nil
    }

    /// Runs an effect without sending its result to the session.
    func run(_ effect: Work) async throws -> EffectOutcome {
        guard case .effect(let run) = effect.kind else { throw DriverFailure("a timer cannot be run") }
        let services = try services ?? makeServices()
        self.services = services
        return await run(services, effect.id.description)
    }

    /// Returns the type of the visible screen, once, if the app lists screens but does not list this type.
    func takeUnlistedScreen() -> (any Screen.Type)? {
        guard !knownScreens.isEmpty, let type = rehearsal.tree.visibleType else { return nil }
        return knownScreens.insert(ObjectIdentifier(type)).inserted ? type : nil
    }

    func advance(by duration: Duration) {
        now = now.advanced(by: duration)
    }

    func replay() throws -> ReplayMismatch? {
        var mismatch: ReplayMismatch?
        var next = 0
        do {
            try rehearsal.replay { twin, index, counted in
                next = index + 1
                mismatch = self.mismatch(at: index, counted ? Self.state(of: twin) : "nothing happened")
                return mismatch == nil
            }
        } catch let rejection as Rejection where next > 0 {
            mismatch = self.mismatch(at: next, "rejected: \(rejection.reason)")
        }
        return mismatch
    }

    func end() -> [String] {
        rehearsal.tree.end().map { "\($0.type) (\($0.coordinator))" }
    }

    /// Finds the holders of the leaks of the newest input, or of the session's end, in the order of the leaks.
    ///
    /// The search uses a replay of the session, because the search takes the session apart. If the replay leaks
    /// nothing, the test itself holds the objects, and the result is empty.
    func findHolders(ofEnd isEnd: Bool) -> [String] {
        guard let twin = try? rehearsal.replay() else { return [] }
        if isEnd { twin.end() }
        return twin.findHolders().compactMap(\.self)
    }

    private func mismatch(at index: Int, _ second: String) -> ReplayMismatch? {
        let (input, first) = history[index]
        return first == second ? nil : ReplayMismatch(input: input, first: first, second: second)
    }

    private func handle(_ content: InputContent, as input: [UInt8]) throws(Rejection) -> Rejection? {
        do throws(Rejection) {
            guard try rehearsal.handle(Input(content, at: now)) else { return nil }
        } catch {
            // If the rollback has failed, the session cannot continue.
            if rehearsal.tree.isBroken { throw error }
            return error
        }
        history.append((String(decoding: input, as: UTF8.self), Self.state(of: rehearsal.tree)))
        return nil
    }

    private static func resumption(_ input: [UInt8]) -> Resumption? {
        guard let json = try? JSONDocument(parsing: input).root, json[member: "resumed"] != nil else { return nil }
        return try? Resumption(json)
    }

    private static func parse(_ input: [UInt8]) throws(Rejection) -> InputContent {
        do throws(JSONError) {
            return try InputContent(recorded: try JSONDocument(parsing: input).root)
        } catch {
            throw Rejection(.invalid, error.description)
        }
    }

    private static func state(of tree: Tree) -> String {
        JSONWriter.text { writer in
            writer.object { writer in
                writer.member("revision", tree.revision)
                tree.writeState(into: &writer)
            }
        }
    }
}

struct DriverFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension InputContent {
    /// Decodes an action or another input in the journal's form; throws an error if the JSON has none of these forms.
    fileprivate init(recorded json: JSONValue) throws(JSONError) {
        guard let kind = json.members.lazy.map({ $0.name }).first(where: { Self.companions[$0] != nil }) else {
            self = .action(try InputAction(json))
            return
        }
        for (name, value) in json.members where name != kind && Self.companions[kind]?.contains(name) != true {
            throw value.error("an input with the member \"\(kind)\" cannot have the member \"\(name)\"")
        }
        try self.init(payload: json)
    }

    /// For each kind of input, the members that are allowed beside the member that names the kind.
    private static let companions: [String: Set<String>] = [
        "effect": ["success", "failure"], "timer": [], "refused": ["reason"], "message": [],
    ]
}
