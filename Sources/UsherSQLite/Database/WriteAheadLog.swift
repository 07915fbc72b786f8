import Glibc

/// The write-ahead log that a process has left beside a journal, read frame by frame (SQLite's file format, section 4).
///
/// SQLite takes the first frame whose checksum is wrong for the end of the log, and drops all behind it: after a crash
/// that is a transaction which was never acknowledged. But a transaction begins only once the one before is on the disk.
/// So where another transaction follows on that with the wrong frame, or on a later one, that was acknowledged, and the
/// frame damaged since.
struct WriteAheadLog {
    /// A frame that was changed after it was written.
    struct Damage: Equatable {
        /// The number of its frame, from 1; 0 for the log's header.
        let frame: Int
        /// The bytes of the log before its transaction.
        let intactBytes: Int
    }

    private let path: String
    private let descriptor: Int32
    private let frameSize: Int

    /// The bytes of the log's header, and of a frame's.
    private static let headerSize = (log: 32, frame: 24)

    /// The bytes of a log with so many frames.
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

    /// Finds out whether an acknowledged transaction of a log was changed after it was written.
    ///
    /// - Parameters:
    ///   - path: The log's path; one that is not there is empty.
    ///   - pageSize: Bytes of a page of its database.
    /// - Returns: The first damage; nil where there is none but maybe in the last transaction, which may be torn.
    /// - Throws: `SQLiteFailure` where the log cannot be read.
    static func damage(of path: String, pageSize: Int) throws(SQLiteFailure) -> Damage? {
        guard let log = try WriteAheadLog(path, pageSize: pageSize) else { return nil }
        defer { close(log.descriptor) }
        return try log.damage()
    }

    private func damage() throws(SQLiteFailure) -> Damage? {
        guard let header = try read(Self.headerSize.log, at: 0) else { return nil }
        var checksum = FrameChecksum(header)
        guard checksum.covers(header.prefix(24), then: header.suffix(8)) else {
            // The first frame tells the salts.
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

    /// True where a transaction follows on another, from the one of a frame on.
    ///
    /// A checksum goes on from the one before, so each frame can be checked by what the frame before it says. The next
    /// transaction begins right behind a commit: whole frames that do not are what is left of a transaction that was
    /// torn, when a server has written a shorter one over its beginning, and lost its power, too.
    private func isFollowed(
        from first: Int, _ salts: [UInt8], _ checksum: FrameChecksum
    ) throws(SQLiteFailure) -> Bool {
        guard let suspect = try frame(first) else { return false }
        // Of the changed frame either the content is right, or the checksum.
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

    /// - Returns: nil where the log ends before.
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

    /// The salts, which all frames share that were written since the log last began anew.
    var salts: [UInt8] { Array(bytes[8..<16]) }
    /// Set in the last frame of a transaction.
    var isCommit: Bool { bytes[4..<8].contains { $0 != 0 } }
}

/// The running checksum of a log's header and frames.
private struct FrameChecksum {
    private var sums: (UInt32, UInt32) = (0, 0)
    private let isBigEndian: Bool

    /// Begins with a log's header, whose last bit of the magic number tells the order of the bytes.
    init(_ header: [UInt8]) {
        isBigEndian = header.count > 3 && header[3] & 1 == 1
    }

    /// Takes in a frame.
    ///
    /// - Returns: True if its checksum goes on from what was taken in before.
    mutating func covers(_ frame: LogFrame) -> Bool {
        add(frame.bytes.prefix(8))
        add(frame.bytes.dropFirst(24))
        return isEqual(to: frame.bytes[16..<24])
    }

    /// True if the frame's checksum goes on from what was taken in.
    func isContinued(by frame: LogFrame) -> Bool {
        var sums = self
        return sums.covers(frame)
    }

    /// Takes in bytes.
    ///
    /// - Returns: True if the checksum behind them is theirs.
    mutating func covers(_ bytes: ArraySlice<UInt8>, then checksum: ArraySlice<UInt8>) -> Bool {
        add(bytes)
        return isEqual(to: checksum)
    }

    /// Goes on from a frame's own checksum, whether that is right or not.
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

    /// Checksums are stored in big endian, in whichever order their words were read.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
