/// An error in a command line, as a sentence that says what to write instead.
package struct UsageError: Error, Equatable {
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
