import UsherJSON

/// A state without what a restart may change: the session's id, and ids that rejected inputs have used up.
struct Outline {
    let text: String

    init(_ state: [UInt8]) throws {
        let state = try JSONDocument(parsing: state).root
        let screens = state[member: "stack"]?.elements.map { screen in
            ["screen", "coordinator", "shown", "state", "events"].map { name in
                screen[member: name].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
            }.joined(separator: " ")
        }
        let others = ["revision", "tabs", "back", "pending", "warnings"].map { name in
            state[member: name].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        }
        text = ((screens ?? []) + others).joined(separator: "\n")
    }
}
