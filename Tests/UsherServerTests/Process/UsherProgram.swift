import Foundation

/// The executable `usher` as a process of its own.
final class UsherProgram {
    private let process = Process()
    private let output = Pipe()
    private let error = Pipe()

    /// Starts it.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = products.appending(path: "usher")
        process.arguments = arguments
        // Nothing of this machine's settings, but what a sanitizer has to know, and where it finds its symbolizer.
        let inherited = ProcessInfo.processInfo.environment.filter {
            $0.key.hasSuffix("SAN_OPTIONS") || $0.key == "PATH"
        }
        process.environment = inherited.merging(environment) { _, given in given }
        process.standardOutput = output
        process.standardError = error
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits for the next line of standard output.
    func readLine() -> String { Self.readLine(of: output) }

    /// Waits for the next line of standard error.
    func readErrorLine() -> String { Self.readLine(of: error) }

    private static func readLine(of pipe: Pipe) -> String {
        var line: [UInt8] = []
        while let byte = pipe.fileHandleForReading.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits for its end.
    func finish() -> (status: Int32, output: String, error: String) {
        let output = output.fileHandleForReading.readDataToEndOfFile()
        let error = error.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return (status, String(decoding: output, as: UTF8.self), String(decoding: error, as: UTF8.self))
    }
}
