import Glibc

/// The write-ahead log that a process has left beside a journal, read frame by frame (SQLite's file format, section 4).
///
/// If a frame has a wrong checksum, SQLite ignores this frame and everything after it. After a crash, the frame usually
/// belongs to a transaction that was never acknowledged. But each transaction starts only after the previous
/// transaction is durable. So if another transaction follows the transaction with the wrong frame, the earlier
/// transaction was acknowledged, and its frame was damaged later.
struct WriteAheadLog {
    /// A frame that was changed after it was written.
    struct Damage: Equatable {
        /// The number of the frame, from 1; 0 for the log's header.
        let frame: Int
        /// The number of bytes before the transaction that contains the frame.
        let intactBytes: Int
    }

    private let path: String
    private let descriptor: Int32
    private let frameSize: Int

    /// The sizes of the log's header and of a frame's header in bytes.
    private static let headerSize = (log: 32, frame: 24)

    static func size(ofFrames count: Int, pageSize: Int) -> Int {
        headerSize.log + count * (headerSize.frame + pageSize)
    }

    private init?(_ path: String, pageSize: Int) throws(SQLiteFailure) {
        self.path = path
        frameSize = Self.headerSize.frame + pageSize
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else { return }
        guard errno != ENOENT else { return nil }
        throw unreadable()
    }

    /// Returns the first damage to an acknowledged transaction of a log, or nil; a missing log counts as empty.
    ///
    /// Damage in the last transaction is not reported, because this transaction may only be incomplete.
    ///
    /// - Throws: `SQLiteFailure` if the log cannot be read.
    static func damage(of path: String, pageSize: Int) throws(SQLiteFailure) -> Damage? {
        guard let log = try WriteAheadLog(path, pageSize: pageSize) else { return nil }
        defer { close(log.descriptor) }
        return try log.damage()
    }

    private func damage() throws(SQLiteFailure) -> Damage? {
        guard let header = try read(Self.headerSize.log, at: 0) else { return nil }
        var checksum = FrameChecksum(header)
        guard checksum.covers(header.prefix(24), then: header.suffix(8)) else {
            // The log's header is damaged, so the salts are taken from the first frame.
            guard let first = try frame(1), try isFollowed(from: 1, first.salts, checksum) else { return nil }
            return Damage(frame: 0, intactBytes: 0)
        }
        let salts = Array(header[16..<24])
        var (number, intactBytes) = (1, Self.headerSize.log)
        while let frame = try frame(number), frame.salts == salts, checksum.isContinued(by: frame) {
            checksum.resume(from: frame)
            number += 1
            if frame.isCommit { intactBytes = offset(of: number) }
        }
        guard try isFollowed(from: number, salts, checksum) else { return nil }
        return Damage(frame: number, intactBytes: intactBytes)
    }

    /// Returns `true` if another transaction follows the transaction that contains a frame.
    ///
    /// Each frame's checksum continues the checksum of the previous frame, so each frame can be checked with the
    /// checksum in the previous frame. The next transaction starts immediately after a commit. Valid frames at other
    /// places prove nothing. They may remain from an incomplete transaction: a server may have overwritten only its
    /// start, with a shorter transaction, before another crash.
    private func isFollowed(
        from first: Int, _ salts: [UInt8], _ checksum: FrameChecksum
    ) throws(SQLiteFailure) -> Bool {
        guard let suspect = try frame(first) else { return false }
        // Of the damaged frame, either the content or the checksum is right, so both are tried.
        var ends = [checksum, checksum]
        _ = ends[0].covers(suspect)
        ends[1].resume(from: suspect)
        var (number, isCommitted) = (first + 1, suspect.isCommit)
        while let frame = try frame(number) {
            let isWhole = frame.salts == salts && ends.contains { $0.isContinued(by: frame) }
            if isCommitted, isWhole { return true }
            isCommitted = frame.isCommit && isWhole
            ends = [checksum]
            ends[0].resume(from: frame)
            number += 1
        }
        return false
    }

    private func frame(_ number: Int) throws(SQLiteFailure) -> LogFrame? {
        try read(frameSize, at: offset(of: number)).map(LogFrame.init)
    }

    private func offset(of frame: Int) -> Int { Self.headerSize.log + (frame - 1) * frameSize }

    /// Reads bytes of the log; returns nil if the log ends before the last of these bytes.
    private func read(_ count: Int, at offset: Int) throws(SQLiteFailure) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe pread(
                    descriptor, bytes.baseAddress?.advanced(by: filled), count - filled, off_t(offset + filled))
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw unreadable() }
            guard read > 0 else { return nil }
            filled += read
        }
        return bytes
    }

    private func unreadable() -> SQLiteFailure {
        SQLiteFailure(.other(path: path, reason: "it cannot be read (\(NewFile.reason(errno)))"))
    }
}

/// A frame of the log: its header of 24 bytes, and a page.
private struct LogFrame {
    let bytes: [UInt8]

    /// The salts, which are the same for all frames until the log is restarted.
    var salts: [UInt8] { Array(bytes[8..<16]) }
    /// A Boolean value that indicates whether the frame is the last frame of a transaction.
    var isCommit: Bool { bytes[4..<8].contains { $0 != 0 } }
}

/// The running checksum of a log's header and frames.
private struct FrameChecksum {
    private var sums: (UInt32, UInt32) = (0, 0)
    private let isBigEndian: Bool

    /// Creates a checksum; the last bit of the magic number in the log's header determines the byte order.
    init(_ header: [UInt8]) {
        isBigEndian = header.count > 3 && header[3] & 1 == 1
    }

    /// Adds a frame, and returns `true` if the frame's checksum is correct.
    mutating func covers(_ frame: LogFrame) -> Bool {
        add(frame.bytes.prefix(8))
        add(frame.bytes.dropFirst(24))
        return isEqual(to: frame.bytes[16..<24])
    }

    func isContinued(by frame: LogFrame) -> Bool {
        var sums = self
        return sums.covers(frame)
    }

    /// Adds bytes, and returns `true` if the sum after these bytes equals a checksum.
    mutating func covers(_ bytes: ArraySlice<UInt8>, then checksum: ArraySlice<UInt8>) -> Bool {
        add(bytes)
        return isEqual(to: checksum)
    }

    /// Continues from the checksum in a frame, even if this checksum is wrong.
    mutating func resume(from frame: LogFrame) {
        sums = (Self.word(frame.bytes[16..<20]), Self.word(frame.bytes[20..<24]))
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        var sums = self.sums
        let isBigEndian = isBigEndian
        unsafe bytes.withUnsafeBytes { bytes in
            for position in stride(from: 0, to: bytes.count & ~7, by: 8) {
                let first = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
                let second = unsafe bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
                sums.0 &+= (isBigEndian ? UInt32(bigEndian: first) : UInt32(littleEndian: first)) &+ sums.1
                sums.1 &+= (isBigEndian ? UInt32(bigEndian: second) : UInt32(littleEndian: second)) &+ sums.0
            }
        }
        self.sums = sums
    }

    private func isEqual(to bytes: ArraySlice<UInt8>) -> Bool {
        sums == (Self.word(bytes.prefix(4)), Self.word(bytes.suffix(4)))
    }

    /// Checksums are stored in big endian, whatever the byte order of the content.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
