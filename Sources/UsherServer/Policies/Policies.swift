/// Who may do what.
struct Policies: Sendable {
    let hosts: HostPolicy
    let origins: OriginPolicy
    let admin: AdminPolicy
}
