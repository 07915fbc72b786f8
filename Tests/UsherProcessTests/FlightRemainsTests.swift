import Foundation
import Programs
import Testing

@testable import UsherProcess

@Suite("A flight record that a dead process has left")
struct FlightRemainsTests {
    private let folder: TemporaryFolder
    private var path: String { folder("SLOTS") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the file of a process that died with a mark.
    private func recorded() throws -> Data {
        let record = try FlightRecord(at: path)
        record.begin(.input, of: (1, 2), app: "tudy", upon: 7, entryKind: 2, at: 1_234, payload: [1, 2, 3])
        return try Data(contentsOf: URL(filePath: path))
    }

    private func write(_ data: Data) throws {
        try data.write(to: URL(filePath: path))
    }

    private func complaint() -> String {
        let remains = FlightRecord.read(path)
        #expect(remains.marks.isEmpty)
        return remains.complaint ?? ""
    }

    @Test func `reading a slot with random bytes does not trap`() throws {
        var data = try recorded()
        let slot = 4_096
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<LongRun.choose(50, long: 1_000) {
            for offset in 0..<200 { data[slot + offset] = UInt8.random(in: 0...255, using: &generator) }
            data[slot] = 1
            try write(data)
            #expect(FlightRecord.read(path).complaint == nil)
        }
    }

    @Test(arguments: [
        ("", "it is not a flight record"), ("SQLite format 3", "it is not a flight record"),
        ("UsherFlt", "it does not have the layout of this build"),
        ("UsherFlt\u{9}\u{0}\u{0}\u{0}some more bytes", "it does not have the layout of this build"),
    ])
    func `a file of another program is refused with one sentence`(text: String, reason: String) throws {
        try write(Data(text.utf8))
        #expect(complaint() == "the flight record \(path) cannot be read: \(reason)")
    }

    @Test func `a truncated file is refused with one sentence`() throws {
        let data = try recorded()
        try write(data.prefix(data.count / 2))
        #expect(complaint() == "the flight record \(path) cannot be read: it is cut short")
    }

    @Test func `a pipe, a folder and a symbolic link are refused at once with one sentence`() throws {
        unsafe mkfifo(path, 0o600)
        #expect(complaint().hasSuffix("it is not a file"))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
        #expect(complaint().hasPrefix("the flight record \(path) cannot be read: "))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(complaint().hasSuffix("it is not a file"))
    }

    @Test func `a symbolic link at the path of the flight record is replaced, and its target is not changed`() throws {
        let other = folder("other")
        try Data("mine".utf8).write(to: URL(filePath: other))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        _ = try FlightRecord(at: path)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
    }

    @Test func `a missing folder is reported in one sentence`() throws {
        let error = #expect(throws: FlightRecordError.self) { try FlightRecord(at: folder("none/SLOTS")) }
        #expect(
            error.map { "\($0)" }
                == "cannot create the flight record \(folder("none/SLOTS")): No such file or directory")
    }
}
