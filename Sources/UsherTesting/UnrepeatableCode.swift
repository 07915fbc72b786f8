import Testing
import UsherAuthoring

/// The lines of an app that use globals of the process, the most frequent cause of a replay mismatch.
///
/// The search covers the package that contains the test: the test's own target, and all sources.
struct UnrepeatableCode {
    /// The maximum number of lines that are shown; further lines are only counted.
    private static let limit = 8

    /// A line for each use of a global, the test's target first: `Sources/Shop/Order.swift:7:21: Date() is …`.
    private let uses: [String]

    init(near test: SourceLocation) {
        let target = test.fileID.prefix { $0 != "/" }
        uses = ["Tests/\(target)", "Sources"].flatMap { folder in (try? SourceFiles(folder).globalUses) ?? [] }
    }

    /// The lines as the end of an issue's text; empty if there are no lines.
    var note: String {
        guard !uses.isEmpty else { return "" }
        let more = uses.count > Self.limit ? ["and \(uses.count - Self.limit) more"] : []
        return "\nthe cause may be one of these, whose values differ in each replay:\n"
            + (uses.prefix(Self.limit) + more).joined(separator: "\n")
    }
}
