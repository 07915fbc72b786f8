/// The keys that a server does not ask for, by its options.
package struct ContractOpenings: Sendable {
    /// True if anybody may ask for the apps.
    package var apps: Bool
    /// True if their ids alone open sessions.
    package var sessions: Bool
    /// True behind the operator's own listener.
    package var inside: Bool

    /// Creates the openings of a server; one with the default options asks for all keys.
    package init(apps: Bool = false, sessions: Bool = false, inside: Bool = false) {
        self.apps = apps
        self.sessions = sessions
        self.inside = inside
    }

    /// True if an operation needs no key.
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
