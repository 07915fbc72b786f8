import Usher

/// The rule by which an input is tried again, on a tree as it was before, where it failed only because of a link.
struct LinkRetry {
    /// What the next attempt does with a link.
    private(set) var handling = LinkHandling.follow

    /// Follows a rejection.
    ///
    /// - Returns: False where the input itself was at fault, and is not tried again.
    mutating func adapt(to rejection: Rejection) -> Bool {
        guard let retry = rejection.retry else { return false }
        handling = retry
        return true
    }
}
