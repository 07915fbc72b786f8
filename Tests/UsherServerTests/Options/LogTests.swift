import Testing
import UsherSessions

@testable import UsherServer

@Suite("The log")
struct LogTests {
    @Test func `a line for people`() {
        #expect(line(.text) == #"2026-11-20T13:28:29.042Z warning it happened why="a \"b\"\n""#)
    }

    @Test func `a line for collectors`() {
        #expect(
            line(.json)
                == #"{"time":"2026-11-20T13:28:29.042Z","level":"warning","message":"it happened","why":"a \"b\"\n"}"#)
    }

    @Test func `an expiry that is postponed, and a result, are told apart`() throws {
        let lines = LogLines()
        let log = Log(.text, milliseconds: { 1_795_181_309_042 }, sink: lines.add)
        log.write(.postponed(cause: "the disk is full"))
        let session = try #require(SessionID(String(repeating: "a", count: 32)))
        log.write(.effectPostponed(session, cause: "the disk is full"))
        let ends = lines.all.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
        #expect(
            ends == [
                #"error expiry postponed cause="the disk is full""#,
                #"error result postponed session="\#(session)" cause="the disk is full""#,
            ])
    }

    private func line(_ format: LogFormat) -> String {
        let lines = LogLines()
        Log(format, milliseconds: { 1_795_181_309_042 }, sink: lines.add).write(
            .warning, "it happened", ["why": "a \"b\"\n"])
        return lines.all.joined(separator: "|")
    }
}
