/// The keys that a server does not require because of its options.
package struct ContractOpenings: Sendable {
    /// A Boolean value that indicates whether `/apps` and the apps' schemas are public.
    package var apps: Bool
    /// A Boolean value that indicates whether a session's id is enough to use the session.
    package var sessions: Bool
    /// A Boolean value that indicates whether the contract is that of the operator's own listener.
    package var inside: Bool

    /// Creates the openings of a server, which by default requires all keys.
    package init(apps: Bool = false, sessions: Bool = false, inside: Bool = false) {
        self.apps = apps
        self.sessions = sessions
        self.inside = inside
    }

    /// Returns `true` if an operation requires no key.
    func include(_ operation: ContractOperation) -> Bool {
        switch operation.key {
        case .none: false
        case .session, .widerForBackend: sessions
        case .backend: inside
        case .operator: inside || apps && operation.path == "/apps"
        case .widerForOperator: inside || apps
        }
    }
}
