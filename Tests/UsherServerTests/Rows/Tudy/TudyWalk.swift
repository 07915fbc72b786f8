import Testing
import Tudy
import UsherHTTP
import UsherJSON

extension Surface {
    /// Leads a session of `tudy` to the beginning of a row.
    func tudy(
        loggedIn: Bool = false, _ inputs: TudyInput..., sourceLocation: SourceLocation = #_sourceLocation,
        body: (Walk) async throws -> Void
    ) async throws {
        try await serve([TudyApp.self]) { stage in
            let walk = try await stage.open("tudy", options: loggedIn ? #"{"loggedIn":true}"# : nil)
            for input in inputs { try await walk.take(input, sourceLocation: sourceLocation) }
            try await body(walk)
        }
    }
}

extension Walk {
    /// Sends inputs that must be accepted.
    func take(_ inputs: TudyInput..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for input in inputs {
            #expect(try await post(input.body).status == 200, "\(answer.text)", sourceLocation: sourceLocation)
        }
    }

    /// Sends an input that must be rejected and change nothing.
    func expect(
        _ status: Int, naming words: String = "", _ input: TudyInput,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expectUnchanged(status, naming: words, sourceLocation: sourceLocation) {
            try await $0.post(input.body)
        }
    }

    /// Returns the state of the topmost screen with a name, as text.
    func stateOf(_ screen: String) async throws -> String? {
        let stack = try await state()["stack"].map { Array($0.elements) } ?? []
        let entry = stack.last { $0[member: "screen"]?.string == screen }
        return entry?[member: "state"]?.text
    }

    /// Returns everything on display: ids, states and events.
    func display() async throws -> String? {
        try await state()["stack"]?.text
    }

    /// Returns the number of coordinators that were created.
    func created() async throws -> Int? {
        try await report()["coordinators", "created"]?.integer
    }
}
