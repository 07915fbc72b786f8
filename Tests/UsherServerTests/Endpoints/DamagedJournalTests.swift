import Foundation
import StartLoginMain
import Testing
import UsherHTTP
import UsherJSON

@testable import UsherSQLite

/// Tests that a damaged record disables only its own session, and that nothing wrong is shown.
@Suite("A server whose journal is damaged")
struct DamagedJournalTests {
    @Test func `a changed byte makes only the session that contains the byte unavailable`() async throws {
        let journal = try RecordedJournal()
        var ids: [String] = []
        try await journal.serve([StartLoginMainApp.self]) { stage in
            for _ in 0..<3 {
                let walk = try await stage.open("start-login-main", options: #"{"loggedIn":true}"#)
                try await walk.send("startApp")
                ids.append(walk.id)
            }
        }
        try flip(in: journal.path, session: ids[1])
        let lines = LogLines()
        try await journal.serve([StartLoginMainApp.self], lines: lines) { stage in
            for id in [ids[0], ids[2]] { #expect(try await stage.request(.get, "/sessions/\(id)").status == 200) }
            for _ in 0..<2 {
                let damaged = try await stage.request(.get, "/sessions/\(ids[1])")
                #expect(damaged.status == 503)
                #expect(damaged["type"]?.string == "urn:usher:problem:session-held")
                #expect(damaged.headers["Retry-After"] == nil)
                #expect(damaged["held"]?.string == "record-damaged")
                #expect(damaged["current"] == nil)
            }
            let event = try await stage.request(.post, "/sessions/\(ids[1])/events", body: #"{"event":"login"}"#)
            #expect(event.status == 503)
            let list = try await stage.request(.get, "/admin/sessions")
            #expect(list["live"]?.integer == 3)
        }
        #expect(
            lines.all.contains { $0.contains("session held") && $0.contains("changed after it was written") })
        #expect(!lines.all.contains { $0.contains(ids[1]) })
    }

    @Test func `a session with a damaged header is listed with the reason, and the operator can end it`() async throws {
        let journal = try RecordedJournal()
        var id = ""
        try await journal.serve([StartLoginMainApp.self]) { stage in id = try await stage.open("start-login-main").id }
        try Database(opening: journal.path).execute("UPDATE rows SET content = x'01' WHERE slot = 0")
        try await journal.serve([StartLoginMainApp.self]) { stage in
            for _ in 0..<2 {
                #expect(try await stage.request(.get, "/sessions/\(id)")["held"]?.string == "record-damaged")
            }
            let list = try await stage.request(.get, "/admin/sessions", query: "state=held")
            let listed = try #require(list["sessions"]?.elements.first { _ in true })
            #expect(listed[member: "session"]?.string == id)
            #expect(listed[member: "held"]?.string == "record-damaged")
            #expect(listed[member: "app"] == nil)
            #expect(try await stage.request(.delete, "/admin/sessions/\(id)").status == 204)
            #expect(try await stage.request(.get, "/sessions/\(id)").status == 410)
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 0)
        }
    }

    /// Changes a byte of a session's last input in the file.
    private func flip(in path: String, session: String) throws {
        var file = try Data(contentsOf: URL(filePath: path))
        let digits = Array(session)
        let key = stride(from: 0, to: 32, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
        var place: Int?
        var start = file.startIndex
        while let found = file[start...].firstRange(of: Data(key)) {
            if let input = file[found.upperBound..<min(file.endIndex, found.upperBound + 80)]
                .firstRange(of: Data(#"{"event":"startApp"}"#.utf8))
            {
                place = input.lowerBound
            }
            start = found.upperBound
        }
        file[try #require(place) + 12] ^= 1
        try file.write(to: URL(filePath: path))
    }
}
