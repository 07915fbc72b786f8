import Glibc

/// The calls of a recorded disk, in a file that outlives the process and can be read while it is written.
package final class DiskLog: Sendable {
    private let descriptor: Int32

    /// Opens a log to append to it.
    package init?(at path: String) {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Appends a call, completely or not at all.
    func append(_ call: RecordedDisk.Call) {
        let record = Self.record(of: call)
        var rest = record[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe write(descriptor, bytes.baseAddress, bytes.count)
            }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }

    /// Returns the current number of bytes of a log.
    package static func size(of path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_size : 0
    }

    /// Parses a log up to an incomplete call.
    ///
    /// - Returns: Each call, with the offset of its end in the log.
    package static func calls(in bytes: [UInt8]) -> [(call: RecordedDisk.Call, end: Int)] {
        var reader = RecordReader(bytes)
        var calls: [(call: RecordedDisk.Call, end: Int)] = []
        while let call = reader.next() { calls.append((call, reader.position)) }
        return calls
    }

    /// Returns a call as bytes.
    ///
    /// The bytes are the kind, the length of the file's name, a number, the length of the content, the name and the
    /// content.
    private static func record(of call: RecordedDisk.Call) -> [UInt8] {
        let (kind, file, number, bytes): (UInt8, String, Int, [UInt8]) =
            switch call {
            case .write(let file, let offset, let bytes): (0, file, offset, bytes)
            case .truncate(let file, let size): (1, file, size, [])
            case .sync(let file, let isGood): (2, file, isGood ? 1 : 0, [])
            case .delete(let file): (3, file, 0, [])
            }
        let name = Array(file.utf8)
        return [kind, UInt8(truncatingIfNeeded: name.count)] + Self.bytes(of: number) + Self.bytes(of: bytes.count)
            + name + bytes
    }

    private static func bytes(of number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

/// A reader that returns the calls of a log one by one.
private struct RecordReader {
    private let bytes: [UInt8]
    private(set) var position = 0
    private static let headSize = 18

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> RecordedDisk.Call? {
        guard position + Self.headSize <= bytes.count else { return nil }
        let head = bytes[position..<(position + Self.headSize)]
        let (name, number, count) = (
            Int(head[position + 1]), Self.number(head.dropFirst(2)), Self.number(head.dropFirst(10))
        )
        let start = position + Self.headSize + name
        guard start + count <= bytes.count else { return nil }
        let file = String(decoding: bytes[(start - name)..<start], as: UTF8.self)
        defer { position = start + count }
        return switch head.first {
        case 0: .write(file: file, offset: number, bytes: Array(bytes[start..<(start + count)]))
        case 1: .truncate(file: file, size: number)
        case 2: .sync(file: file, isGood: number == 1)
        default: .delete(file: file)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
