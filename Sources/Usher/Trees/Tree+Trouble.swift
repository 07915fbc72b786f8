extension Tree {
    /// Whether an input failed half-way: the tree shows what never happened, and must be dropped.
    public var isBroken: Bool { trouble != nil }

    /// Notes that the input cannot happen; the first reason counts.
    func fail(_ error: any Error) {
        let trouble = trouble ?? Trouble()
        trouble.failure = trouble.failure ?? Rejection(error)
        self.trouble = trouble
    }

    /// Notes how an input that failed only because of a link is to be handled instead.
    func retry(with handling: LinkHandling) {
        let trouble = trouble ?? Trouble()
        trouble.retry = handling
        self.trouble = trouble
    }

    /// Why the input did not count.
    var rejection: Rejection {
        let failure = trouble?.failure
        var rejection = failure ?? Rejection(.failed, "a link gets only half-way")
        rejection.retry = linkWasOffered && failure != nil ? .drop(rejection.reason) : trouble?.retry
        return rejection
    }
}
