import Testing
import UsherServer

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

    private func line(_ format: LogFormat) -> String {
        let lines = LogLines()
        Log(format, milliseconds: { 1_795_181_309_042 }, sink: lines.add).write(
            .warning, "it happened", ["why": "a \"b\"\n"])
        return lines.all.joined(separator: "|")
    }
}
