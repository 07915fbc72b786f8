import Foundation
import Programs
import Testing

@testable import UsherProcess

@Suite("The flight record, a file with the inputs in progress")
struct FlightRecordTests {
    private let folder: TemporaryFolder
    fileprivate var path: String { folder("SLOTS") }

    init() throws {
        folder = try TemporaryFolder()
    }

    fileprivate static let payload = Array(#"{"screen":2,"event":"login"}"#.utf8)

    fileprivate func begin(_ record: FlightRecord, _ payload: [UInt8] = payload) {
        record.begin(.input, of: (1, 2), app: "tudy", upon: 7, entryKind: 2, at: 1_234, payload: payload)
    }

    @Test func `the mark of an input in progress contains everything that a retry needs`() throws {
        let record = try FlightRecord(at: path)
        begin(record)
        let remains = FlightRecord.read(path)
        let mark = try #require(remains.marks.first)
        #expect(remains.marks.count == 1 && remains.complaint == nil)
        #expect(mark.kind == .input && mark.session == (1, 2) && mark.app == "tudy" && mark.revision == 7)
        #expect(mark.entryKind == 2 && mark.time == 1_234 && mark.payload == Self.payload && !mark.isCut)
        #expect(mark.note == nil && mark.frames.isEmpty && !mark.isDead)
        #expect(record.marks == [mark])
    }

    @Test func `after an input has ended, the input's mark and payload are no longer in the file`() throws {
        let record = try FlightRecord(at: path)
        begin(record, Array("a secret".utf8))
        #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data("a secret".utf8)) != nil)
        record.end()
        #expect(FlightRecord.read(path) == FlightRecord.Remains())
        #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data("a secret".utf8)) == nil)
    }

    @Test func `a thread's new mark replaces the thread's previous mark and payload`() throws {
        let record = try FlightRecord(at: path)
        begin(record, Array("a longer secret".utf8))
        begin(record, [1, 2])
        #expect(FlightRecord.read(path).marks.map(\.payload) == [[1, 2]])
        #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data("longer".utf8)) == nil)
    }

    @Test func `while a session is replayed, only the revision in the replay's mark changes`() throws {
        let record = try FlightRecord(at: path)
        record.begin(.replay, of: (1, 2), app: "tudy", upon: 1)
        for revision in 2...100 { record.advance(to: revision) }
        #expect(FlightRecord.read(path).marks.map(\.revision) == [100])
    }

    @Test func `an input of the largest allowed size is stored completely, and a larger input is cut`() throws {
        let record = try FlightRecord(at: path)
        let body = (0..<64 * 1024 + 100).map { UInt8(truncatingIfNeeded: $0) }
        begin(record, body)
        #expect(FlightRecord.read(path).marks.first?.payload == body)
        begin(record, [UInt8](repeating: 7, count: FlightSlot.size))
        let mark = try #require(FlightRecord.read(path).marks.first)
        #expect(mark.isCut && mark.payload.count == FlightSlot.size - FlightSlot.head)
    }

    @Test func `each thread has its own slot, and a new thread gets the slot of a thread that has ended`() throws {
        let record = try FlightRecord(at: path)
        for _ in 0..<4 {
            let threads = (0..<8).map { number in
                Thread {
                    record.begin(.look, of: (0, UInt64(number)), app: "", upon: number)
                    record.end()
                }
            }
            for thread in threads { thread.start() }
            while threads.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0) }
        }
        begin(record)
        #expect(record.marks.count == 1)
        #expect(record.sights.count == 1)
    }

    @Test func `the file can contain the marks of two threads at the same time`() throws {
        let record = try FlightRecord(at: path)
        begin(record)
        let semaphores = (began: DispatchSemaphore(value: 0), mayEnd: DispatchSemaphore(value: 0))
        #expect(
            SystemThread.start {
                record.begin(.look, of: (3, 4), app: "sooda", upon: 1)
                semaphores.began.signal()
                semaphores.mayEnd.wait()
            })
        semaphores.began.wait()
        #expect(Set(FlightRecord.read(path).marks.map(\.app)) == ["tudy", "sooda"])
        semaphores.mayEnd.signal()
    }

    @Test func `the file is readable only by its owner, is sparse, and is deleted when the record is closed`() throws {
        let record = try FlightRecord(at: path)
        begin(record)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let used = try Program.run(["du", "--block-size=1", path]).output.split(separator: "\t")
        #expect(try #require(used.first.flatMap { Int($0) }) < 64 * 1024)
        record.end()
        record.close()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(FlightRecord.read(path) == FlightRecord.Remains())
    }

    @Test func `a new flight record replaces the file that a dead process has left`() throws {
        let first = try FlightRecord(at: path)
        begin(first)
        let second = try FlightRecord(at: path)
        #expect(FlightRecord.read(path) == FlightRecord.Remains())
        begin(second)
        first.end()
        #expect(FlightRecord.read(path).marks.count == 1)
    }

    @Test func `a flight record that is only in memory also lists the inputs in progress`() throws {
        let record = try FlightRecord()
        begin(record)
        #expect(record.marks.map(\.revision) == [7])
        record.end()
        #expect(record.marks.isEmpty)
        record.close()
    }

    @Test func `on a full disk, no mark is written, and the process continues`() throws {
        try #require(SmallDisk.canBeMounted)
        let disk = try SmallDisk("size=64k")
        let record = try FlightRecord(at: disk.folder("SLOTS"))
        try disk.fill()
        begin(record)
        #expect(record.marks.isEmpty)
        try disk.clear()
        begin(record)
        #expect(record.marks.count == 1)
        try disk.fill()
        begin(record, [UInt8](repeating: 1, count: 60_000))
        #expect(record.marks.map(\.isCut) == [true])
    }
}

extension FlightRecordTests {
    @Test func `the flight record has the mark of a running effect, but the watchdog ignores the mark`()
        throws
    {
        let record = try FlightRecord(at: path)
        record.begin(.effect, of: (1, 2), app: "crash", upon: 0, payload: [7])
        #expect(record.sights.isEmpty && !record.isInFlight)
        let left = FlightRecord.read(path).marks
        #expect(left.map(\.kind) == [.effect] && left.map(\.payload) == [[7]])
        record.close()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `marks of another build are ignored, but marks of this build and of an unknown build are read`() throws {
        let record = try FlightRecord(at: path)
        begin(record)
        #expect(FlightRecord.read(path) { 5 }.marks.count == 1)
        record.note(build: 5)
        #expect(FlightRecord.read(path) { 5 }.marks.count == 1)
        #expect(FlightRecord.read(path) { 6 } == FlightRecord.Remains())
    }

    @Test func `a process that inherits the file writes to the same flight record`() throws {
        let record = try FlightRecord()
        begin(try FlightRecord(inherited: record.descriptor.copy()))
        #expect(record.slot(0).mark?.revision == 7)
        #expect(record.marks.isEmpty, "no thread of this process is at work")
    }
}
