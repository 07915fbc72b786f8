extension Tree {
    /// Looks for a coordinator that takes a flow, from the parent of the one that finished upwards.
    ///
    /// A coordinator that does not take it finishes too.
    func route(_ flow: any Codable & Sendable, from child: AnyCoordinator, to ancestors: [AnyCoordinator]) throws {
        var child = child
        for parent in ancestors where parent.node != nil {
            if try offer(flow, to: parent, from: child) { return }
            guard parent !== ancestors.last else { break }
            leave(parent)
            child = parent
        }
        throw Rejection(
            .failed, "no coordinator takes the flow \(Self.name(of: flow)); the session is as it was before")
    }

    private func offer(
        _ flow: any Codable & Sendable, to parent: AnyCoordinator, from child: AnyCoordinator
    ) throws -> Bool {
        do {
            if let host = parent as? any FlowHost, try host.take(flow) { return true }
            return try parent.childDidFinish(child, next: flow)
        } catch is Later {
            return false
        }
    }

    /// The flow's type and case, without its payload: that may be private.
    private static func name(of flow: some Codable & Sendable) -> String {
        let type = String(reflecting: type(of: flow)).drop { $0 != "." }.dropFirst()
        let name = CaseExample(flow)?.name
        return name.map { "\(type).\($0)" } ?? String(type)
    }
}
