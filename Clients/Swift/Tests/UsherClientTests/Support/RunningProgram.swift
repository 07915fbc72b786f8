import Foundation
import Synchronization
import Testing

/// A program that a test has started.
///
/// The program's first line of output contains the address that it listens on.
final class RunningProgram: Sendable {
    /// The folder of the package `usher`.
    private static let root = URL(filePath: #filePath).appending(path: "../../../../../..").standardized
    /// The folder of the server programs.
    private static let programs =
        ProcessInfo.processInfo.environment["USHER_PROGRAMS"].map { URL(filePath: $0) }
        ?? root.appending(path: ".build/debug")
    /// A Boolean value that indicates whether the server program is built.
    ///
    /// In CI, the program must be built.
    static let canRun =
        ProcessInfo.processInfo.environment["CI"] != nil
        || FileManager.default.isExecutableFile(atPath: programs.appending(path: "usher").path)

    /// The address that the program listens on.
    let url: URL
    private let process: Process
    private let input = Pipe()
    private let output: Pipe

    /// Starts a server with the sample apps on a free port, with its journal in memory.
    static func server() throws -> RunningProgram {
        let options = ["serve", "--port", "0", "--journal", "memory", "--no-supervisor"]
        return try RunningProgram(programs.appending(path: "usher"), options)
    }

    /// Starts a proxy in front of a server.
    ///
    /// The proxy applies the fault to four of ten requests.
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

    /// Ends the program as an operator would.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Closes the program's standard input, and returns what the program prints at its end.
    func finish() throws -> Data {
        try input.fileHandleForWriting.close()
        let words = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return words
    }

    /// Returns the first line of output, or an empty string if the program ends before it prints a line.
    private static func line(of output: Pipe) -> String {
        var line = Data()
        while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}
