import Testing
import UsherAuthoring

/// The code of an app that uses what is the process's: a replay that leads elsewhere is mostly due to such a line.
///
/// It looks into the package that the test is run in: into the test's own target, and into all sources.
struct UnrepeatableCode {
    /// More lines than these are counted alone.
    private static let limit = 8

    /// A line for each use, such as `Sources/Shop/Order.swift:7:21: Date() is …`, those of the test's own target first.
    private let uses: [String]

    /// Looks for it.
    ///
    /// - Parameter test: A line of the test.
    init(near test: SourceLocation) {
        let target = test.fileID.prefix { $0 != "/" }
        uses = ["Tests/\(target)", "Sources"].flatMap { folder in (try? SourceFiles(folder).globalUses) ?? [] }
    }

    /// The lines, as the end of an issue's text; empty where there are none.
    var note: String {
        guard !uses.isEmpty else { return "" }
        let more = uses.count > Self.limit ? ["and \(uses.count - Self.limit) more"] : []
        return "\nit may be one of these, of which each replay gets something else:\n"
            + (uses.prefix(Self.limit) + more).joined(separator: "\n")
    }
}
