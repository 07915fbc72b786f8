import Usher

/// An app whose events, options and flows contain secrets.
enum VaultApp: App {
    struct Options: Codable {
        var name = "vault"
        var key: Secret<String> = "default"
        var spare: Secret<String>?
        var reads = false
    }

    static let options = Options()
    static var screens: [any Screen.Type] { [VaultScreen.self] }
    static var flowHosts: [any FlowHost.Type] { [VaultCoordinator.self] }

    static func root(_ options: Options) throws -> sending AnyCoordinator {
        if options.reads, try options.key.reveal().count < 2 { throw Refusal("a key has two letters") }
        return VaultCoordinator(options)
    }
}
