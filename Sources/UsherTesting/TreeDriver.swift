import Usher
import UsherJSON

/// Runs an app in the test's own process, without a server and without a lock.
final class TreeDriver: AppDriver {
    /// Builds the tree at revision 1.
    private let make: Opening
    /// What is done with a link at the opening.
    private let opening: LinkHandling
    private var tree: Tree
    private let makeServices: () throws -> any Sendable
    private var services: (any Sendable)?
    private var clock: Timestamp
    /// What was accepted, with the state that it led to.
    private var records: [Record] = []
    private let created: String

    typealias Opening = (LinkHandling) throws -> Tree

    private struct Record {
        let action: [UInt8]
        let input: Input
        let identifiers: NextIdentifiers
        let state: String
    }

    init(
        at time: Timestamp, services: @escaping () throws -> any Sendable, _ make: @escaping Opening
    ) throws {
        self.make = make
        makeServices = services
        clock = time
        (tree, opening) = try Self.open(make)
        created = Self.state(of: tree)
    }

    var work: [Work] { tree.work }

    var now: Timestamp? { clock }

    var state: [UInt8] { Array(Self.state(of: tree).utf8) }

    var report: [UInt8]? { Self.object { tree.writeReport(into: &$0) } }

    /// Hands over an action, or what else the journal keeps as an input.
    func handle(_ action: [UInt8]) throws -> Rejection? {
        let content: InputContent
        do throws(Rejection) {
            content = try Self.parse(action)
            if case .action = content { return try handle(action, Input(content, at: clock)) }
        } catch {
            return error
        }
        let revision = tree.revision
        if let rejection = try handle(content) { return rejection }
        // A session drops what comes too late; a test that names it expects it to count.
        return tree.revision == revision ? Rejection(.stale, "no such effect or timer is pending") : nil
    }

    func handle(_ content: InputContent) throws -> Rejection? {
        var writer = JSONWriter()
        content.write(into: &writer)
        guard let rejection = try handle(writer.bytes, Input(content, at: clock)) else { return nil }
        switch content {
        // As a session does: what was undone is not tried again.
        case .result(let id, _), .timer(let id): return try handle(.refused(id, reason: rejection.reason)) ?? rejection
        case .action, .refused, .message: return rejection
        }
    }

    func run(_ effect: Work) async throws -> EffectOutcome {
        guard case .effect(let run) = effect.kind else { throw Unsupported(description: "a timer cannot be run") }
        let services = try services ?? makeServices()
        self.services = services
        return await run(services, effect.id.description)
    }

    private func handle(_ action: [UInt8], _ input: Input) throws(Rejection) -> Rejection? {
        let identifiers = tree.identifiers
        do throws(Rejection) {
            guard try tree.handle(input) else { return nil }
        } catch {
            if tree.isBroken { try rollBack() }
            // Only a link was at fault, not what the user did.
            return try error.retry.map { link throws(Rejection) in try handle(action, input.handling(link: link)) }
                ?? error
        }
        records.append(Record(action: action, input: input, identifiers: identifiers, state: Self.state(of: tree)))
        return nil
    }

    func advance(by duration: Duration) {
        clock = clock.advanced(by: duration)
    }

    func replay() throws -> Divergence? {
        let twin = try make(opening)
        if let divergence = Self.compare("the opening", created, Self.state(of: twin)) { return divergence }
        for record in records {
            let input = String(decoding: record.action, as: UTF8.self)
            twin.advance(to: record.identifiers)
            do throws(Rejection) {
                let counted = try twin.handle(record.input)
                let second = counted ? Self.state(of: twin) : "nothing happened"
                if let divergence = Self.compare(input, record.state, second) { return divergence }
            } catch {
                return Divergence(input: input, first: record.state, second: "rejected: \(error.reason)")
            }
        }
        return nil
    }

    func end() -> [String] {
        tree.end().map { "\($0.type) (\($0.coordinator))" }
    }

    /// Drops a tree that an input broke, and builds it as it was before; ids that were spent stay spent.
    private func rollBack() throws(Rejection) {
        do {
            let rebuilt = try make(opening)
            for record in records {
                rebuilt.advance(to: record.identifiers)
                _ = try rebuilt.handle(record.input)
            }
            // An input that breaks a tree is not judged: its leaks are those of before.
            rebuilt.succeed(identifiers: tree.identifiers, leaks: tree.leaks, count: tree.census.leaked)
            tree = rebuilt
        } catch {
            throw Rejection(.failed, "the session cannot be replayed", cause: "\(error)")
        }
    }

    /// Builds the tree for the first time: a link that would get only half-way is left waiting instead.
    private static func open(_ make: Opening) throws -> (Tree, LinkHandling) {
        do {
            return (try make(.follow), .follow)
        } catch let rejection as Rejection {
            guard let retry = rejection.retry else { throw rejection }
            return (try make(retry), retry)
        }
    }

    private static func compare(_ input: String, _ first: String, _ second: String) -> Divergence? {
        first == second ? nil : Divergence(input: input, first: first, second: second)
    }

    /// What is no input at all is rejected as a server would.
    private static func parse(_ input: [UInt8]) throws(Rejection) -> InputContent {
        do throws(JSONError) {
            return try InputContent(recorded: try JSONDocument(parsing: input).root)
        } catch {
            throw Rejection(.invalid, error.description)
        }
    }

    private static func state(of tree: Tree) -> String {
        let bytes = object { writer in
            writer.key("revision")
            writer.integer(tree.revision)
            tree.writeState(into: &writer)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1_024)
        writer.beginObject()
        write(&writer)
        writer.endObject()
        return writer.bytes
    }
}
