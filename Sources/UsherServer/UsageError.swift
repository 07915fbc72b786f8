/// An error in a command line, in one sentence that says what to write instead.
package struct UsageError: Error, Equatable {
    /// The mistake and its remedy.
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
