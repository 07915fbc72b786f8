import Testing

/// Expects a closure to record issues, each of which contains all of these words.
func expectIssue(
    _ words: String..., sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) rethrows {
    try withKnownIssue(sourceLocation: sourceLocation) {
        try body()
    } matching: { issue in
        let text = issue.comments.map(\.rawValue).joined(separator: "\n")
        return words.allSatisfy { text.contains($0) }
    }
}
