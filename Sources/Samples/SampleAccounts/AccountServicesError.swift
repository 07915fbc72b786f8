/// Why there are no services: one sentence for the operator.
struct AccountServicesError: Error, Equatable, CustomStringConvertible {
    let reason: String

    var description: String { reason }
}
