import Testing
import UsherBytes
import UsherSessions

@testable import UsherServer

@Suite("The log")
struct LogTests {
    @Test func `a line of the log as text has the time, level, message and values`() {
        #expect(line(.text) == #"2026-11-20T13:28:29.042Z warning it happened why="a \"b\"\n""#)
    }

    @Test func `a line of the log as JSON has the time, level, message and values`() {
        #expect(
            line(.json)
                == #"{"time":"2026-11-20T13:28:29.042Z","level":"warning","message":"it happened","why":"a \"b\"\n"}"#)
    }

    @Test func `the log reports a postponed expiry differently from a postponed result`() throws {
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

    @Test(arguments: [LogFormat.text, .json])
    func `the log escapes control characters in values`(format: LogFormat) {
        let lines = LogLines()
        Log(format, milliseconds: { 0 }, sink: lines.add).write(
            .info, "it happened", ["why": "\u{1B}[2J\u{7F}\u{85}\u{9B}\u{2028}\u{202E}\u{2066}é\u{1F600}"])
        let line = lines.all.joined()
        #expect(line.contains(#""\u001b[2J\u007f\u0085\u009b\u2028\u202e\u2066é\#u{1F600}""#), "\(line)")
        #expect(!line.hasControls)
    }

    private func line(_ format: LogFormat) -> String {
        let lines = LogLines()
        Log(format, milliseconds: { 1_795_181_309_042 }, sink: lines.add).write(
            .warning, "it happened", ["why": "a \"b\"\n"])
        return lines.all.joined(separator: "|")
    }
}
