/// What is the same for all instances of a flow host: its flows by name.
final class FlowDescription<Flow: Codable & Sendable>: Sendable {
    let flows: CaseTable<Flow>

    init(_ examples: [Flow]) {
        flows = CaseTable(examples)
    }
}
