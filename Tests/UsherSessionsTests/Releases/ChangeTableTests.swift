import Foundation
import Programs
import Testing

@testable import UsherSessions

@Suite("The table of changes to an app", .timeLimit(.minutes(5)))
struct ChangeTableTests {
    /// Looks at the same sessions in all builds, which writes nothing.
    @Test(arguments: JournalKind.ofOneServer)
    func `docs/changing-an-app.md describes what each kind of release does`(on kind: JournalKind) async throws {
        #expect(Set(ChangeTable.changes) == Set(ShopChange.allCases))
        var fates: [ShopChange: [Fate]] = [:]
        try await ShopServers.use(kind) { servers in
            let visits = try await ShopVisit.all(in: servers.start(.none, build: 1))
            for (number, change) in ShopChange.allCases.enumerated() {
                let registry = try await servers.start(change, build: UInt64(2 + number))
                for visit in visits { fates[change, default: []].append(try await visit.fate(in: registry).0) }
            }
        }
        let table = ChangeTable(fates)
        #expect(table.mixedRows.isEmpty)
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/changing-an-app.md"
        ).standardized
        let document = try String(contentsOf: file, encoding: .utf8)
        let written = try #require(table.replacing(in: document), "the document has no table")
        if Program.environment["USHER_RECORD"] != nil { try Data(written.utf8).write(to: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == written, "USHER_RECORD=1 writes the table anew")
    }
}
