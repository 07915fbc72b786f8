/// Why a session cannot be replayed at all by this build.
package enum ReplayError: Error, Equatable, Sendable {
    /// Its record does not begin with a creation.
    case noCreation
    /// This build has no app of this name.
    case unknownApp(String)
}

extension ReplayError: CustomStringConvertible {
    /// One sentence for an operator.
    package var description: String {
        switch self {
        case .noCreation: "the record does not begin with a creation"
        case .unknownApp(let name): "there is no app \"\(name)\" in this build"
        }
    }
}
