/// Who may do what.
package struct Policies: Sendable {
    package var hosts: HostPolicy
    package var origins: OriginPolicy
    package var admin: AdminPolicy

    /// By default those of a server on loopback without a token.
    package init(
        hosts: HostPolicy = HostPolicy(boundTo: "127.0.0.1"), origins: OriginPolicy = OriginPolicy(),
        admin: AdminPolicy = AdminPolicy(token: nil, isLoopback: true)
    ) {
        self.hosts = hosts
        self.origins = origins
        self.admin = admin
    }
}
