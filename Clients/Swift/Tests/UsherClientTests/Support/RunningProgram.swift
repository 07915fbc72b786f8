import Foundation
import Synchronization
import Testing

/// A program that a test has started, and that says in its first line where it listens.
final class RunningProgram: Sendable {
    /// The package usher's folder.
    private static let root = URL(filePath: #filePath).appending(path: "../../../../../..").standardized
    /// The folder of the server programs.
    private static let programs =
        ProcessInfo.processInfo.environment["USHER_PROGRAMS"].map { URL(filePath: $0) }
        ?? root.appending(path: ".build/debug")
    /// True where there is something to test with; in CI there must be.
    static let canRun =
        ProcessInfo.processInfo.environment["CI"] != nil
        || FileManager.default.isExecutableFile(atPath: programs.appending(path: "usher").path)

    /// The address at which it listens.
    let url: URL
    private let process: Process
    private let input = Pipe()
    private let output: Pipe

    /// A server of the samples on a free port, with its journal in memory.
    static func server() throws -> RunningProgram {
        let options = ["serve", "--port", "0", "--journal", "memory", "--no-supervisor"]
        return try RunningProgram(programs.appending(path: "usher"), options)
    }

    /// A proxy before a server, which does to four of ten requests what a fault is named for.
    static func faultProxy(before server: RunningProgram, seed: Int, fault: String) throws -> RunningProgram {
        let script = root.appending(path: "Tests/JavaScriptClient/support/fault-proxy-program.js")
        let options = ["node", script.path, server.url.absoluteString, "\(seed)", fault]
        return try RunningProgram(URL(filePath: "/usr/bin/env"), options)
    }

    private init(_ program: URL, _ options: [String]) throws {
        process = Process()
        output = Pipe()
        process.executableURL = program
        process.arguments = options
        process.environment = ProcessInfo.processInfo.environment.merging([
            "USHER_ADMIN_TOKEN": "the-operator-of-tests", "USHER_SESSION_ACCESS": "id",
        ]
        ) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = Self.line(of: output)
        let address = try #require(line.split(separator: "listening on ").last, "\(program.path) said \(line)")
        url = try #require(URL(string: String(address)))
    }

    /// Ends it as an operator does.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Ends its input, and answers with what it says at its end.
    func finish() throws -> Data {
        try input.fileHandleForWriting.close()
        let words = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return words
    }

    /// The first line; a program that ends has none.
    private static func line(of output: Pipe) -> String {
        var line = Data()
        while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}
