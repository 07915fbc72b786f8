import Foundation
import Testing
import UsherTesting

@testable import MatineeServer

/// The memory that ended sessions return.
///
/// The measurement takes minutes, and needs an otherwise idle machine.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["USHER_LONG"] != nil), .timeLimit(.minutes(30)))
struct MemoryTests {
    @Test func `a thousand sessions that were opened and ended leave no more memory than before`() async throws {
        for _ in 0..<200 { try await walk() }
        let before = try Self.residentBytes
        for _ in 0..<1_000 { try await walk() }
        let growth = Double(try Self.residentBytes - before) / Double(before)
        #expect(growth < 0.02, "\(before) bytes have grown by \(growth * 100) %")
    }

    /// Opens a session, buys nothing, and ends it.
    private func walk() async throws {
        let app = try await openTabs()
        app.send(.select(id: 1), on: FilmListScreen.self)
        app.back()
        app.select("Tickets")
        app.select("Profile")
        app.send("showSettings")
        app.send("close")
        app.finishTest()
    }

    private static var residentBytes: Int {
        get throws {
            let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return try #require(Int(fields[1])) * 4_096
        }
    }
}
