import CSQLite
import Glibc
import Synchronization

/// A file system for SQLite, on top of the system's, that records writes and synchronizations, and fails on request.
package final class RecordedDisk: Sendable {
    /// A call that changes a file, or makes earlier changes durable.
    package enum Call: Equatable, Sendable {
        case write(file: String, offset: Int, bytes: [UInt8])
        case truncate(file: String, size: Int)
        /// A synchronization.
        ///
        /// If it fails, earlier writes may be lost, even if a later synchronization succeeds.
        case sync(file: String, isGood: Bool)
        case delete(file: String)
    }

    /// A kind of call that can fail.
    package enum Operation: Sendable {
        case read, write, sync
    }

    /// SQLite's codes of failed reads, writes and synchronizations.
    package static let (readError, writeError, syncError): (Int32, Int32, Int32) = (
        SQLITE_IOERR | 1 << 8, SQLITE_IOERR | 3 << 8, SQLITE_IOERR | 4 << 8
    )

    private struct Fault {
        let operation: Operation
        let suffix: String
        let code: Int32
        /// The number of calls that succeed first, and of those that fail then.
        var (before, times): (Int, Int)
    }

    private struct Contents {
        var calls: [Call] = []
        var fault: Fault?
    }

    /// The name for opening a database on the disk.
    package let name: String
    private let contents = Mutex(Contents())
    /// The file that stores the calls; nil if they are kept in memory.
    private let log: DiskLog?
    private static let count = Atomic(0)

    /// Creates a disk that keeps its calls in memory, for databases that are opened with its name.
    package init() {
        name = "recorded-\(Self.count.add(1, ordering: .relaxed).newValue)"
        log = nil
        register(asDefault: false)
    }

    /// Creates the default disk of all databases of this process, with a log that outlives the process.
    package init(logging log: DiskLog) {
        name = "recorded"
        self.log = log
        register(asDefault: true)
    }

    /// The calls so far, if they are kept in memory.
    package var calls: [Call] { contents.withLock { $0.calls } }

    /// The number of calls so far, if they are kept in memory.
    package var mark: Int { contents.withLock { $0.calls.count } }

    /// Makes calls fail from now on.
    ///
    /// - Parameters:
    ///   - suffix: The end of the file's name.
    ///   - code: SQLite's code of the failure.
    ///   - before: The number of calls that succeed first.
    ///   - times: The number of calls that fail.
    package func fail(
        _ operation: Operation, of suffix: String, with code: Int32, after before: Int = 0, times: Int = 1
    ) {
        contents.withLock {
            $0.fault = Fault(operation: operation, suffix: suffix, code: code, before: before, times: times)
        }
    }

    /// Stops all failures.
    package func mend() { contents.withLock { $0.fault = nil } }

    /// Forgets all calls and failures, for another journal; call it when no journal is open.
    package func reset() { contents.withLock { $0 = Contents() } }

    fileprivate func record(_ call: Call) {
        if let log { return log.append(call) }
        contents.withLock { $0.calls.append(call) }
    }

    /// - Returns: SQLite's code if the call must fail; otherwise nil.
    fileprivate func failure(of operation: Operation, on file: String) -> Int32? {
        contents.withLock { contents in
            guard let fault = contents.fault, fault.operation == operation, file.hasSuffix(fault.suffix) else {
                return nil
            }
            guard fault.before == 0 else {
                contents.fault?.before -= 1
                return nil
            }
            guard fault.times > 0 else { return nil }
            contents.fault?.times -= 1
            return fault.code
        }
    }

    /// Registers the file system for the life of the process.
    private func register(asDefault isDefault: Bool) {
        guard let base = unsafe sqlite3_vfs_find(systemName) else { return }
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe system.initialize(to: base.pointee)
        unsafe system.pointee.zName = UnsafePointer(strdup(name))
        unsafe system.pointee.szOsFile += Int32(MemoryLayout<RecordedFile>.stride)
        unsafe system.pointee.pAppData = Unmanaged.passRetained(self).toOpaque()
        unsafe system.pointee.xOpen = openRecorded
        unsafe system.pointee.xDelete = deleteRecorded
        unsafe sqlite3_vfs_register(system, isDefault ? 1 : 0)
    }
}

/// The name of the system's file system in SQLite, even if another one is the default.
private let systemName = "unix"

/// An open file in the memory that SQLite provides, followed by the system's file.
@unsafe
private struct RecordedFile {
    var methods: UnsafePointer<sqlite3_io_methods>?
    var context: Unmanaged<RecordedFileContext>?
}

private final class RecordedFileContext {
    let disk: RecordedDisk
    let name: String

    init(_ disk: RecordedDisk, _ name: String) {
        self.disk = disk
        self.name = name
    }
}

private func disk(of system: UnsafeMutablePointer<sqlite3_vfs>?) -> RecordedDisk? {
    guard let data = unsafe system?.pointee.pAppData else { return nil }
    return unsafe Unmanaged<RecordedDisk>.fromOpaque(data).takeUnretainedValue()
}

private func lastComponent(_ path: UnsafePointer<CChar>?) -> String {
    guard let path = unsafe path else { return "" }
    return unsafe String(cString: path).split(separator: "/").last.map(String.init) ?? ""
}

/// Returns the system's file that belongs to a recorded file.
private func real(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<sqlite3_file> {
    unsafe UnsafeMutableRawPointer(file.unsafelyUnwrapped).advanced(by: MemoryLayout<RecordedFile>.stride)
        .assumingMemoryBound(to: sqlite3_file.self)
}

private func context(_ file: UnsafeMutablePointer<sqlite3_file>?) -> RecordedFileContext {
    unsafe UnsafeMutableRawPointer(file.unsafelyUnwrapped).assumingMemoryBound(to: RecordedFile.self).pointee.context
        .unsafelyUnwrapped.takeUnretainedValue()
}

private let openRecorded:
    @convention(c) (
        UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, UnsafeMutablePointer<sqlite3_file>?, Int32,
        UnsafeMutablePointer<Int32>?
    ) -> Int32 = { system, path, file, flags, outFlags in
        guard let base = unsafe sqlite3_vfs_find(systemName), let file = unsafe file, let disk = unsafe disk(of: system)
        else {
            return SQLITE_ERROR
        }
        let recorded = unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: RecordedFile.self)
        unsafe recorded.pointee = RecordedFile(methods: nil, context: nil)
        let code = unsafe base.pointee.xOpen(base, path, real(file), flags, outFlags)
        guard code == SQLITE_OK else { return code }
        unsafe recorded.pointee.context = .passRetained(RecordedFileContext(disk, lastComponent(path)))
        unsafe recorded.pointee.methods = UnsafePointer(recordedMethods)
        return code
    }

private let deleteRecorded: @convention(c) (UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, Int32) -> Int32 =
    {
        system, path, synchronizes in
        guard let base = unsafe sqlite3_vfs_find(systemName), let disk = unsafe disk(of: system) else {
            return SQLITE_ERROR
        }
        unsafe disk.record(.delete(file: lastComponent(path)))
        return unsafe base.pointee.xDelete(base, path, synchronizes)
    }

/// The methods without shared memory and mapped files, because a journal has one connection.
///
/// Unsafe because it is a pointer, which is created once and never changed.
private nonisolated(unsafe) let recordedMethods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var made = sqlite3_io_methods()
    made.iVersion = 1
    unsafe made.xClose = { file in
        let code = unsafe real(file).pointee.pMethods.pointee.xClose(real(file))
        unsafe UnsafeMutableRawPointer(file.unsafelyUnwrapped).assumingMemoryBound(to: RecordedFile.self).pointee
            .context?.release()
        return code
    }
    unsafe made.xRead = { file, bytes, count, offset in
        let context = unsafe context(file)
        if let code = context.disk.failure(of: .read, on: context.name) { return code }
        return unsafe real(file).pointee.pMethods.pointee.xRead(real(file), bytes, count, offset)
    }
    unsafe made.xWrite = { file, bytes, count, offset in
        let context = unsafe context(file)
        if let code = context.disk.failure(of: .write, on: context.name) { return code }
        let written = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        context.disk.record(.write(file: context.name, offset: Int(offset), bytes: written))
        return unsafe real(file).pointee.pMethods.pointee.xWrite(real(file), bytes, count, offset)
    }
    unsafe made.xTruncate = { file, size in
        let context = unsafe context(file)
        context.disk.record(.truncate(file: context.name, size: Int(size)))
        return unsafe real(file).pointee.pMethods.pointee.xTruncate(real(file), size)
    }
    unsafe made.xSync = { file, flags in
        // The system need not synchronize, because the machine does not really lose power.
        let context = unsafe context(file)
        let failure = context.disk.failure(of: .sync, on: context.name)
        context.disk.record(.sync(file: context.name, isGood: failure == nil))
        return failure ?? SQLITE_OK
    }
    unsafe made.xFileSize = { unsafe real($0).pointee.pMethods.pointee.xFileSize(real($0), $1) }
    unsafe made.xLock = { unsafe real($0).pointee.pMethods.pointee.xLock(real($0), $1) }
    unsafe made.xUnlock = { unsafe real($0).pointee.pMethods.pointee.xUnlock(real($0), $1) }
    unsafe made.xCheckReservedLock = { unsafe real($0).pointee.pMethods.pointee.xCheckReservedLock(real($0), $1) }
    unsafe made.xFileControl = { unsafe real($0).pointee.pMethods.pointee.xFileControl(real($0), $1, $2) }
    unsafe made.xSectorSize = { unsafe real($0).pointee.pMethods.pointee.xSectorSize(real($0)) }
    unsafe made.xDeviceCharacteristics = { unsafe real($0).pointee.pMethods.pointee.xDeviceCharacteristics(real($0)) }
    unsafe methods.initialize(to: made)
    return unsafe methods
}()
