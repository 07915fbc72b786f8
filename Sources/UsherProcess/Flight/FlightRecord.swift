import CProcess
import Glibc
import Synchronization

/// The flight record: a mapped file in which each thread marks the app's code that it runs; the file outlives the
/// process.
///
/// Setting a mark costs a few memory stores, no system call, and no allocation. A thread claims a slot with its first
/// mark and keeps it until the thread ends. The file is sparse: a thread uses one page, or more if a payload is large.
/// Pages are allocated before they are written, because a store into a hole would end the process if the disk is full.
@safe
package final class FlightRecord: @unchecked Sendable {  // because only the thread that claimed a slot writes it
    /// The number of slots: more than the threads of a daemon and of the runtime together.
    static let slotCount = 384
    /// `UsherFlt`, the layout's version, the number of slots, and the size of a slot; the build's identity follows.
    private static let header: [UInt8] = Array("UsherFlt".utf8) + bytes(2) + bytes(slotCount) + bytes(FlightSlot.size)
    private static let headerSize = 4_096
    private static let buildOffset = 32
    private static let size = headerSize + slotCount * FlightSlot.size

    /// The file's descriptor; a child process that inherits the descriptor writes to the same record.
    let descriptor: Descriptor
    private let path: String?
    private let memory: UnsafeMutableRawPointer
    private let lanes: UnsafePointer<FlightLane>
    private let writers: UnsafeMutablePointer<FlightWriter>
    private let key: pthread_key_t
    /// The watchdog's pauses, which setting a mark may end.
    let beat = Beat()

    /// Creates a record in memory, which ends with the last process that has it open.
    package convenience init() throws(FlightRecordError) {
        try self.init(unsafe usher_open_memory("flight"), nil)
    }

    /// Creates a record in a file with mode 0600; overwrites and replaces an existing file.
    package convenience init(at path: String) throws(FlightRecordError) {
        Self.erase(path)
        try self.init(unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600), path)
    }

    /// Creates the record of a process that inherited its file.
    package convenience init(inherited descriptor: Int32) throws(FlightRecordError) {
        try self.init(descriptor, nil)
    }

    private init(_ number: Int32, _ path: String?) throws(FlightRecordError) {
        var key = pthread_key_t()
        guard number >= 0 else { throw FlightRecordError(path: path ?? "", number: errno) }
        let descriptor = Descriptor(taking: number)
        let header = Self.header
        guard ftruncate(number, off_t(Self.size)) == 0,
            unsafe header.withUnsafeBytes({ unsafe pwrite(number, $0.baseAddress, $0.count, 0) }) == header.count,
            let memory = unsafe mmap(
                nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, number, 0),
            unsafe memory != MAP_FAILED, unsafe pthread_key_create(&key, Self.leave) == 0
        else {
            let error = FlightRecordError(path: path ?? "", number: errno)
            if let path { unsafe unlink(path) }
            throw error
        }
        (self.descriptor, self.path, self.key) = (descriptor, path, key)
        unsafe self.memory = memory
        let lanes = UnsafeMutablePointer<FlightLane>.allocate(capacity: Self.slotCount)
        unsafe writers = .allocate(capacity: Self.slotCount)
        for index in 0..<Self.slotCount {
            unsafe (lanes + index).initialize(to: FlightLane(FlightSlot(memory + Self.offset(of: index))))
            unsafe (writers + index).initialize(to: FlightWriter(UnsafePointer(lanes + index)))
        }
        unsafe self.lanes = UnsafePointer(lanes)
    }

    deinit {
        pthread_key_delete(key)
        unsafe writers.deallocate()
        let lanes = unsafe UnsafeMutablePointer(mutating: lanes)
        unsafe lanes.deinitialize(count: Self.slotCount)
        unsafe lanes.deallocate()
        unsafe munmap(memory, Self.size)
    }

    /// Makes the threads that end this process write the reason to their slots.
    package func noteCrashes() {
        // The record is retained forever, because a handler may need it at any time.
        _ = unsafe Unmanaged.passRetained(self)
        CrashHandler.install(key)
    }

    /// Writes the identity of this build for the next start; call this function as soon as the identity is known.
    package func note(build: UInt64) {
        unsafe memory.storeBytes(of: build, toByteOffset: Self.buildOffset, as: UInt64.self)
    }

    /// Called when a thread with a slot ends.
    private static let leave: @convention(c) (UnsafeMutableRawPointer?) -> Void = { writer in
        unsafe writer?.assumingMemoryBound(to: FlightWriter.self).pointee.leave()
    }

    // MARK: Marks

    /// Marks that an app's code is about to run on this thread; replaces the current mark.
    ///
    /// The parameters are the properties of the `FlightMark`.
    package func begin(
        _ kind: FlightMark.Kind, of session: (high: UInt64, low: UInt64), app: String, upon revision: Int,
        entryKind: UInt8 = 0, at time: Int64 = 0, payload: [UInt8] = []
    ) {
        guard let writer = unsafe pthread_getspecific(key) ?? claim() else { return }
        unsafe writer.assumingMemoryBound(to: FlightWriter.self).pointee.begin(
            kind, session, app, revision, entryKind, time, payload, in: self)
        beat.call()
    }

    /// Marks that the replay on this thread has reached the entry of another revision.
    package func advance(to revision: Int) {
        guard let writer = unsafe pthread_getspecific(key) else { return }
        unsafe writer.assumingMemoryBound(to: FlightWriter.self).pointee.slot.advance(to: revision)
    }

    /// Removes this thread's mark, if there is one, and overwrites its payload.
    package func end() {
        guard let writer = unsafe pthread_getspecific(key) else { return }
        unsafe writer.assumingMemoryBound(to: FlightWriter.self).pointee.end()
    }

    /// The current marks, except marks of effects, because an effect ends by itself or with the process.
    package var marks: [FlightMark] { sights.compactMap { slot($0.slot).mark } }

    /// A Boolean value indicating whether an app's code other than effects runs in this process.
    package var isInFlight: Bool { !sights.isEmpty }

    /// Removes the file unless a mark is set; call this function at a regular end of the process.
    package func close() {
        if let path, !isInFlight { Self.erase(path) }
    }

    /// The current marks without copies of payloads, for the watchdog.
    var sights: [FlightWatch.Sight] {
        var sights: [FlightWatch.Sight] = []
        for index in 0..<Self.slotCount where unsafe lanes[index].isUsed.load(ordering: .acquiring) {
            if let sight = unsafe lanes[index].slot.sight(as: index) { sights.append(sight) }
        }
        return sights
    }

    /// Returns a slot that a thread has claimed at some time.
    func slot(_ index: Int) -> FlightSlot { unsafe lanes[index].slot }

    // MARK: Slots

    /// Claims a slot for this thread; nil if all slots are taken or the disk is full, so that the next mark tries
    /// again.
    private func claim() -> UnsafeMutableRawPointer? {
        for index in 0..<Self.slotCount where unsafe lanes[index].claim() {
            guard unsafe allocate(FlightSlot.page, for: writers + index) else {
                unsafe lanes[index].giveBack()
                return nil
            }
            unsafe writers[index].enter()
            unsafe lanes[index].isUsed.store(true, ordering: .releasing)
            let writer = unsafe UnsafeMutableRawPointer(writers + index)
            unsafe pthread_setspecific(key, writer)
            return unsafe writer
        }
        return nil
    }

    /// Allocates disk space for the first bytes of a slot.
    fileprivate func allocate(_ count: Int, for writer: UnsafeMutablePointer<FlightWriter>) -> Bool {
        guard unsafe writer.pointee.allocated < count else { return true }
        let start = unsafe Self.offset(of: writer - writers)
        guard posix_fallocate(descriptor.number, off_t(start), off_t(count)) == 0 else { return false }
        unsafe writer.pointee.allocated = count
        return true
    }
}

// MARK: The file

extension FlightRecord {
    /// The marks that a process left when it died.
    package struct Remains: Equatable, Sendable {
        package var marks: [FlightMark] = []
        /// If the file could not be read, one sentence for the log.
        package var complaint: String?

        package init() {}
    }

    /// Reads the marks that a dead process left; no marks if there is no file.
    ///
    /// - Parameters:
    ///   - path: The file; its contents are not trusted.
    ///   - build: Returns the identity of this build, so that another build's marks are ignored. Called only if there
    ///     are marks.
    package static func read(_ path: String, by build: (() -> UInt64)? = nil) -> Remains {
        var remains = Remains()
        // `O_NONBLOCK`, so that opening a pipe does not block.
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        let reason = number < 0 ? unsafe String(cString: strerror(errno)) : fault(of: number)
        if number < 0, errno == ENOENT { return remains }
        defer { if number >= 0 { Glibc.close(number) } }
        guard reason == nil else {
            remains.complaint = "the flight record \(path) cannot be read: \(reason ?? "")"
            return remains
        }
        remains.marks = marks(in: number).map(\.mark)
        let writer = read(number, 8, at: buildOffset).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        if let build, !remains.marks.isEmpty, writer != 0, writer != build() { remains.marks = [] }
        return remains
    }

    /// Removes a file, and overwrites its marks, which may have secrets.
    private static func erase(_ path: String) {
        let number = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if number >= 0, fault(of: number) == nil {
            for (slot, mark) in marks(in: number) {
                let zeros = [UInt8](repeating: 0, count: FlightSlot.head + mark.payload.count)
                _ = unsafe zeros.withUnsafeBytes {
                    unsafe pwrite(number, $0.baseAddress, $0.count, off_t(offset(of: slot)))
                }
            }
        }
        if number >= 0 { Glibc.close(number) }
        unsafe unlink(path)
    }

    /// Returns the marks in a file with their slots.
    ///
    /// The file is not mapped, because access to holes would allocate disk space, and the disk may be full.
    private static func marks(in number: Int32) -> [(slot: Int, mark: FlightMark)] {
        (0..<slotCount).compactMap { slot in
            guard read(number, 8, at: offset(of: slot)).contains(where: { $0 != 0 }) else { return nil }
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: FlightSlot.size, alignment: 8)
            defer { unsafe memory.deallocate() }
            let bytes = read(number, FlightSlot.size, at: offset(of: slot))
            unsafe memory.copyBytes(from: bytes)
            guard bytes.count == FlightSlot.size, let base = memory.baseAddress else { return nil }
            return unsafe FlightSlot(base).mark.map { (slot, $0) }
        }
    }

    private static func read(_ number: Int32, _ count: Int, at offset: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let taken = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(number, buffer.baseAddress, buffer.count, off_t(offset))
        }
        return Array(bytes.prefix(max(0, taken)))
    }

    /// Returns the reason why a file is not a flight record of this layout; nil if the file is such a record.
    private static func fault(of number: Int32) -> String? {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { return unsafe String(cString: strerror(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a file" }
        let found = read(number, header.count, at: 0)
        guard found.starts(with: header.prefix(8)) else { return "it is not a flight record" }
        guard found == header else { return "it does not have the layout of this build" }
        return status.st_size < size ? "it is cut short" : nil
    }

    private static func offset(of slot: Int) -> Int { headerSize + slot * FlightSlot.size }

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

/// An error thrown when a flight record cannot be created.
package struct FlightRecordError: Error, Equatable, CustomStringConvertible {
    /// The path; empty for a record in memory.
    package let path: String
    package let number: Int32

    /// One sentence with the system's reason.
    package var description: String {
        "cannot create the flight record \(path): \(unsafe String(cString: strerror(number)))"
    }
}

/// A slot, and whether a thread has claimed the slot; all threads may read both.
struct FlightLane: ~Copyable {
    let slot: FlightSlot
    private let isClaimed = Atomic(false)
    /// Whether a thread has ever claimed the slot; if so, its first page is allocated.
    let isUsed = Atomic(false)

    init(_ slot: FlightSlot) {
        self.slot = slot
    }

    func claim() -> Bool {
        isClaimed.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    func giveBack() { isClaimed.store(false, ordering: .releasing) }
}

/// The part of a lane that is used only by the thread that has claimed the lane.
@safe
struct FlightWriter {
    let lane: UnsafePointer<FlightLane>
    let slot: FlightSlot
    /// The number of bytes of the slot that are allocated on the disk.
    fileprivate(set) var allocated = 0
    private var thread = 0
    /// The alternate signal stack of the thread, if this writer added it.
    private var stack: UnsafeMutableRawPointer?
    private var sequence: UInt64 = 0
    /// The number of bytes of the payload in the slot.
    private var payload = 0

    init(_ lane: UnsafePointer<FlightLane>) {
        unsafe self.lane = lane
        slot = unsafe lane.pointee.slot
    }

    fileprivate mutating func enter() {
        thread = Int(usher_thread_id())
        unsafe stack = CrashHandler.addStack()
    }

    /// Called when the lane's thread ends; afterwards, another thread may claim the lane.
    fileprivate mutating func leave() {
        if let stack = unsafe stack { unsafe CrashHandler.removeStack(stack) }
        unsafe stack = nil
        unsafe lane.pointee.giveBack()
    }

    @inline(__always)
    mutating func begin(
        _ kind: FlightMark.Kind, _ session: (high: UInt64, low: UInt64), _ app: String, _ revision: Int,
        _ entryKind: UInt8, _ time: Int64, _ payload: [UInt8], in record: FlightRecord
    ) {
        end()
        if FlightSlot.head + payload.count > allocated { makeRoom(for: payload.count, in: record) }
        self.payload = slot.write(
            kind, session: session, app: app, revision: revision, entryKind: entryKind, time: time, payload: payload,
            room: allocated - FlightSlot.head, begin: MonotonicClock.now, thread: thread)
        sequence &+= 1
        slot.sequence = sequence
    }

    @inline(__always)
    mutating func end() {
        guard payload > 0 || slot.sequence != 0 else { return }
        slot.sequence = 0
        slot.erase(payload)
        payload = 0
    }

    /// Rarely called, because most payloads fit into the first page.
    @inline(never)
    private mutating func makeRoom(for count: Int, in record: FlightRecord) {
        let pages = (FlightSlot.head + count + FlightSlot.page - 1) / FlightSlot.page
        let wanted = min(pages * FlightSlot.page, FlightSlot.size)
        // If the disk is full, the allocation fails, and the payload is cut.
        _ = unsafe withUnsafeMutablePointer(to: &self) { writer in unsafe record.allocate(wanted, for: writer) }
    }
}
