import Testing
import Usher
import UsherJSON

extension Walker {
    /// The pending work, such as `2.1 echo`.
    var pending: [String] { tree.work.map { "\($0.id) \($0.name)" } }

    /// Handles an output as the result of an effect.
    @discardableResult
    func succeed(_ id: String, _ json: String = #""done""#) throws -> Bool {
        try handle(.result(try effect(id), .success(Array(json.utf8))))
    }

    @discardableResult
    func fail(_ id: String, _ code: String) throws -> Bool {
        try handle(.result(try effect(id), .failure(EffectFailure(code: code, message: "it did not work"))))
    }

    @discardableResult
    func fire(_ id: String) throws -> Bool {
        try handle(.timer(try effect(id)))
    }

    @discardableResult
    func refuse(_ id: String, _ reason: String) throws -> Bool {
        try handle(.refused(try effect(id), reason: reason))
    }

    @discardableResult
    func tell(_ message: String) throws -> Bool {
        try handle(.message(try JSONDocument(parsing: Array(message.utf8)).root))
    }

    /// Runs a pending effect without passing the result to the tree.
    func run(_ id: String, with services: any Sendable = NoServices()) async throws -> EffectOutcome {
        let id = try effect(id)
        let work = try #require(tree.work.first { $0.id == id })
        guard case .effect(let run) = work.kind else { throw Refusal("a timer is not run") }
        return await run(services, "session/\(id)")
    }

    /// The notes of the visible stack's screens.
    var notes: [String] {
        get throws {
            try state[member: "stack"]?.elements.compactMap { $0[member: "state"]?[member: "note"]?.string } ?? []
        }
    }

    private func effect(_ id: String) throws -> EffectID {
        try #require(EffectID(id))
    }
}

extension EffectOutcome {
    /// The output's JSON, or the failure's code.
    var text: String {
        switch self {
        case .success(let json): String(decoding: json, as: UTF8.self)
        case .failure(let failure): failure.code
        }
    }
}

extension ScriptedCoordinator {
    /// Starts an effect whose result the first screen shows.
    func echo(_ text: String = "") {
        perform(Echo(text)) { me, result in me.note("\(result.text)") }
    }

    /// Shows a text on the first screen.
    func note(_ text: String) {
        handles.first?.update { $0.note += text }
    }
}

extension Result where Success == String, Failure == EffectFailure {
    /// The output, or the failure's code.
    var text: String {
        switch self {
        case .success(let text): text
        case .failure(let failure): failure.code
        }
    }
}
