import Dispatch
import Foundation
import HelloBye
import LocalhostClient
import Synchronization
import Testing
import UsherHTTP

@testable import UsherServer

@Suite("A log whose reader stalls", .timeLimit(.minutes(5)))
struct LogQueueTests {
    private let pipe = Pipe()

    /// A line that is written after the pipe is closed causes an error, as in a server, and no signal.
    init() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    @Test func `a log whose reader stalls blocks no caller, drops lines that do not fit, and reports their number`() {
        let log = log(limit: 10_000)
        var count = 0
        // Write until the pipe is full. Before that, the next line would not block.
        repeat {
            for _ in 0..<500 { log.write(.info, "line", ["number": "\(count)", "ballast": ballast]) }
            count += 500
        } while log.flush(within: .milliseconds(50))
        for _ in 0..<500 { log.write(.info, "line", ["ballast": ballast]) }
        count += 500
        let dropped = log.droppedLines
        #expect(dropped > 0 && dropped < count)
        let text = readUntil { noticed($0) == dropped }
        #expect(log.flush(within: .seconds(10)))
        log.write(.info, "after")
        let rest = readUntil { $0.contains("after") }
        #expect(rest.contains("info after"))
        // If the thread is late, some lines are accepted after the last dropped line.
        #expect("\(text)\(rest)".split(separator: "\n").count { $0.contains("ballast") } == count - dropped)
    }

    @Test func `a log whose reader stalls blocks no request, and the metrics count the dropped lines`() async throws {
        let log = log(limit: 1)
        let application = Application(apps: [HelloByeApp.self], options: .test, log: log)
        for _ in 0..<10 { log.write(.error, "it happened") }
        let request = Request(
            .get, path: "/metrics", headers: ["Authorization": "Bearer \(LocalhostClient.operatorToken)"])
        let text = String(decoding: await application.respond(to: request).body, as: UTF8.self)
        #expect(text.contains("usher_log_lines_dropped_total 10\n"))
    }

    @Test func `flushing the log waits for all lines that were written before`() {
        let lines = LogLines()
        let log = Log(.text, through: lines.add)
        for number in 0..<100 { log.write(.info, "line \(number)") }
        #expect(log.flush())
        #expect(lines.all.count == 100)
    }

    /// Returns the number of dropped lines that the log reports.
    private func noticed(_ text: String) -> Int {
        let notices = text.split(separator: "\n").filter { $0.contains("log lines dropped") }
        return notices.compactMap { $0.split(separator: "\"").last.flatMap { Int($0) } }.reduce(0, +)
    }

    private let ballast = String(repeating: "x", count: 200)

    private func log(limit: Int) -> Log {
        let writing = pipe.fileHandleForWriting
        return Log(.text, limit: limit) { line in try? writing.write(contentsOf: Data("\(line)\n".utf8)) }
    }

    private func readUntil(_ isEnough: (String) -> Bool) -> String {
        var text = ""
        while !isEnough(text) {
            text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        }
        return text
    }
}
