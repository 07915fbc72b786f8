import Glibc

/// The file of a flight record: a header, and the slots behind it.
enum FlightFile {
    /// `UsherFlt`, the version of the layout, the number of slots and the size of one.
    private static let header: [UInt8] =
        Array("UsherFlt".utf8) + bytes(1) + bytes(FlightRecord.slotCount) + bytes(FlightSlot.size)
    private static let headerSize = 4_096

    /// Its size, of which little takes room on the disk.
    static let size = headerSize + FlightRecord.slotCount * FlightSlot.size

    /// The place of a slot.
    static func offset(of slot: Int) -> Int { headerSize + slot * FlightSlot.size }

    /// Gives a new file its size and its header.
    static func begin(_ descriptor: Int32, _ path: String) throws(FlightRecordError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else {
            throw FlightRecordError(path: path, number: errno)
        }
        let written = unsafe header.withUnsafeBytes { bytes in
            unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        guard written == header.count else {
            throw FlightRecordError(path: path, number: written < 0 ? errno : ENOSPC)
        }
    }

    /// Removes a file, and overwrites what was in flight before: it may hold secrets.
    static func erase(_ path: String) {
        let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor >= 0 {
            if checkHeader(of: descriptor) == nil { overwrite(descriptor) }
            Glibc.close(descriptor)
        }
        unsafe unlink(path)
    }

    /// Checks that a file is a flight record of this build's layout.
    ///
    /// - Returns: The reason why it is none; nil where it is.
    static func checkHeader(of descriptor: Int32) -> String? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return unsafe String(cString: strerror(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { return "it is no file" }
        let found = read(descriptor, header.count, at: 0)
        guard found.starts(with: header.prefix(8)) else { return "it is no flight record" }
        guard found == header else { return "it is another build's" }
        return status.st_size < size ? "it is cut short" : nil
    }

    /// Reads bytes, as far as there are any.
    static func read(_ descriptor: Int32, _ count: Int, at offset: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let taken = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        }
        return Array(bytes.prefix(max(0, taken)))
    }

    private static func overwrite(_ descriptor: Int32) {
        let zeros = [UInt8](repeating: 0, count: FlightSlot.size)
        for slot in 0..<FlightRecord.slotCount where isInFlight(descriptor, slot) {
            _ = unsafe zeros.withUnsafeBytes { bytes in
                unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset(of: slot)))
            }
        }
    }

    /// True where a slot's sequence is set.
    static func isInFlight(_ descriptor: Int32, _ slot: Int) -> Bool {
        read(descriptor, 8, at: offset(of: slot)).contains { $0 != 0 }
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

extension FlightRecord {
    /// The remains of a dead process.
    package struct Remains: Equatable, Sendable {
        /// The marks that stood when it died.
        package var marks: [FlightMark] = []
        /// One sentence for the log, where something could not be read.
        package var complaint: String?

        /// Nothing.
        package init() {}
    }

    /// Reads what a dead process has left.
    ///
    /// Nothing in the file is trusted: one that is foreign, torn, short or unreadable makes a complaint.
    ///
    /// - Parameter path: The file; where there is none, nothing was in flight.
    package static func read(_ path: String) -> Remains {
        var remains = Remains()
        // A pipe in its place must not be waited for.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno != ENOENT { remains.complain(of: path, unsafe String(cString: strerror(errno))) }
            return remains
        }
        defer { Glibc.close(descriptor) }
        if let reason = FlightFile.checkHeader(of: descriptor) {
            remains.complain(of: path, reason)
        } else {
            remains.read(descriptor, path)
        }
        return remains
    }
}

extension FlightRecord.Remains {
    fileprivate mutating func read(_ descriptor: Int32, _ path: String) {
        var torn = 0
        for slot in 0..<FlightRecord.slotCount where FlightFile.isInFlight(descriptor, slot) {
            switch Self.reading(of: FlightFile.read(descriptor, FlightSlot.size, at: FlightFile.offset(of: slot))) {
            case .mark(let mark): marks.append(mark)
            case .nothing: break
            case .torn: torn += 1
            }
        }
        if torn > 0 { complain(of: path, "\(torn) of its slots are torn") }
    }

    private static func reading(of bytes: [UInt8]) -> FlightSlot.Reading {
        guard bytes.count == FlightSlot.size else { return .torn }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: FlightSlot.size, alignment: 8)
        defer { unsafe memory.deallocate() }
        unsafe memory.copyBytes(from: bytes)
        guard let base = memory.baseAddress else { return .torn }
        return unsafe FlightSlot(base).reading
    }

    fileprivate mutating func complain(of path: String, _ reason: String) {
        complaint = "the flight record \(path) cannot be read: \(reason)"
    }
}

/// A flight record that cannot be made.
package struct FlightRecordError: Error, Equatable, CustomStringConvertible {
    /// The path that could not be made; empty for memory.
    package let path: String
    /// The system's error number.
    package let number: Int32

    /// One sentence with the system's reason.
    package var description: String {
        "cannot make the flight record \(path): \(unsafe String(cString: strerror(number)))"
    }
}
