import Testing
import UsherAuthoring

/// The lines of an app that use globals of the process.
///
/// Such globals are the most frequent cause of a replay mismatch.
///
/// The search covers the package that contains the test: the test's own target, and all sources.
struct UnrepeatableCode {
    /// The maximum number of lines that are shown.
    ///
    /// Further lines are only counted.
    private static let limit = 8

    /// A line for each use of a global, such as `Sources/Shop/Order.swift:7:21: Date() is …`.
    ///
    /// The uses in the test's target come first.
    private let uses: [String]

    /// Searches the files of the package that contains the test.
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
