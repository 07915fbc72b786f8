import CProcess
import Glibc
import Synchronization

/// The flight record: a mapped file in which each thread that runs author's code says whose, and which outlives the
/// process.
///
/// A mark costs some stores into memory, no system call and no allocation. A thread claims a slot when it sets its first
/// mark, and has it until it ends. The file is sparse: a thread takes one page, and more if a payload is large. These are
/// allocated before they are written to, because a store into a hole of a full disk would end the process.
@safe
package final class FlightRecord: @unchecked Sendable {  // because a slot is written by the thread that claimed it
    /// Slots, as many as threads may run author's code: more than a daemon and the runtime have.
    static let slotCount = 384
    /// `UsherFlt`, the version of the layout, the number of slots and the size of one; the build follows.
    private static let header: [UInt8] = Array("UsherFlt".utf8) + bytes(2) + bytes(slotCount) + bytes(FlightSlot.size)
    private static let headerSize = 4_096
    private static let buildOffset = 32
    private static let size = headerSize + slotCount * FlightSlot.size

    /// The file, which a child process inherits to write to the same record.
    let descriptor: Descriptor
    private let path: String?
    private let memory: UnsafeMutableRawPointer
    private let lanes: UnsafePointer<FlightLane>
    /// The lanes' writers, in their order.
    private let writers: UnsafeMutablePointer<FlightWriter>
    private let key: pthread_key_t
    /// The slots before this number have been used, if any.
    private let used = Atomic(0)
    /// The rests of the watchdog, which each mark may end.
    let beat = Beat()

    /// Creates a record that no file system has: it ends with the processes that have it.
    ///
    /// - Throws: `FlightRecordError`.
    package convenience init() throws(FlightRecordError) {
        try self.init(unsafe usher_open_memory("flight"), nil)
    }

    /// Creates a record in a file that only its owner can read; a file that is there is overwritten, and replaced.
    ///
    /// - Throws: `FlightRecordError`.
    package convenience init(at path: String) throws(FlightRecordError) {
        Self.erase(path)
        try self.init(unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600), path)
    }

    /// Creates the record of a process that has inherited its file.
    ///
    /// - Throws: `FlightRecordError`.
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

    /// Has the ends of this process noted from now on, by the threads that bring them about.
    package func noteCrashes() {
        // A handler may need the record at any time: it stays as long as the process.
        _ = unsafe Unmanaged.passRetained(self)
        CrashHandler.install(key)
    }

    /// Says which build writes the record, for the next start; to be called once that is known.
    package func note(build: UInt64) {
        unsafe memory.storeBytes(of: build, toByteOffset: Self.buildOffset, as: UInt64.self)
    }

    /// Called when a thread ends that has a slot.
    private static let leave: @convention(c) (UnsafeMutableRawPointer?) -> Void = { writer in
        unsafe writer?.assumingMemoryBound(to: FlightWriter.self).pointee.leave()
    }

    // MARK: Marks

    /// Says that author's code is about to run on this thread; a mark that stands is replaced.
    ///
    /// - Parameters:
    ///   - kind: The kind of code.
    ///   - session: The session's id.
    ///   - app: The name of its app.
    ///   - revision: The revision that the input comes upon; that of the entry in a replay.
    ///   - entryKind: The raw value of the kind of the input's entry.
    ///   - time: The input's time of day: milliseconds since 1970.
    ///   - payload: The payload that its entry would have.
    package func begin(
        _ kind: FlightMark.Kind, of session: (high: UInt64, low: UInt64), app: String, upon revision: Int,
        entryKind: UInt8 = 0, at time: Int64 = 0, payload: [UInt8] = []
    ) {
        guard let writer = unsafe pthread_getspecific(key) ?? claim() else { return }
        unsafe writer.assumingMemoryBound(to: FlightWriter.self).pointee.begin(
            kind, session, app, revision, entryKind, time, payload, in: self)
        beat.call()
    }

    /// Says that an effect's own work goes on on this thread, which may take its time; it ends as the others do.
    ///
    /// - Parameters:
    ///   - id: The effect's id.
    ///   - session: The session's id.
    ///   - app: The name of its app.
    package func beginEffect(_ id: [UInt8], of session: (high: UInt64, low: UInt64), app: String) {
        guard let writer = unsafe pthread_getspecific(key) ?? claim() else { return }
        unsafe writer.assumingMemoryBound(to: FlightWriter.self).pointee.beginEffect(id, session, app, in: self)
    }

    /// Says that the replay on this thread has come to another entry.
    ///
    /// - Parameter revision: The entry's.
    package func advance(to revision: Int) {
        guard let writer = unsafe pthread_getspecific(key) else { return }
        unsafe writer.assumingMemoryBound(to: FlightWriter.self).pointee.slot.advance(to: revision)
    }

    /// Says that no author's code runs on this thread any more, and overwrites the payload; to be called again is no harm.
    package func end() {
        guard let writer = unsafe pthread_getspecific(key) else { return }
        unsafe writer.assumingMemoryBound(to: FlightWriter.self).pointee.end()
    }

    /// All that is in flight now, except effects, which come to their end by themselves or do not outlive the process.
    package var marks: [FlightMark] { sights.compactMap { slot($0.slot).mark } }

    /// A Boolean value indicating whether author's code runs in this process, effects apart.
    package var isInFlight: Bool { !sights.isEmpty }

    /// Removes the file, unless something is in flight: the process ends as it should.
    package func close() {
        if let path, !isInFlight { Self.erase(path) }
    }

    /// All that is in flight now, without copies of payloads: for the watchdog.
    var sights: [FlightWatch.Sight] {
        var sights: [FlightWatch.Sight] = []
        for index in 0..<used.load(ordering: .acquiring) where unsafe lanes[index].isUsed.load(ordering: .acquiring) {
            if let sight = unsafe lanes[index].slot.sight(as: index) { sights.append(sight) }
        }
        return sights
    }

    /// A slot that a thread has, or has had.
    func slot(_ index: Int) -> FlightSlot { unsafe lanes[index].slot }

    // MARK: Slots

    /// Takes a slot for this thread.
    ///
    /// - Returns: Nil where all are taken, or there is no room for another on the disk; it is tried again.
    private func claim() -> UnsafeMutableRawPointer? {
        for index in 0..<Self.slotCount where unsafe lanes[index].claim() {
            guard unsafe allocate(FlightSlot.page, for: writers + index) else {
                unsafe lanes[index].giveBack()
                return nil
            }
            unsafe writers[index].enter()
            unsafe lanes[index].isUsed.store(true, ordering: .releasing)
            used.max(index + 1, ordering: .acquiringAndReleasing)
            let writer = unsafe UnsafeMutableRawPointer(writers + index)
            unsafe pthread_setspecific(key, writer)
            return unsafe writer
        }
        return nil
    }

    /// Makes sure that the first bytes of a slot have room on the disk.
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
    /// The remains of a dead process.
    package struct Remains: Equatable, Sendable {
        /// The marks that stood when it died.
        package var marks: [FlightMark] = []
        /// One sentence for the log, if the file could not be read.
        package var complaint: String?

        /// Creates empty remains.
        package init() {}
    }

    /// Reads what a dead process has left; nothing if there is no file.
    ///
    /// - Parameters:
    ///   - path: The file, of which nothing is trusted.
    ///   - build: Returns the identity of this build, if what another build has left is nothing; called if there are marks.
    package static func read(_ path: String, by build: (() -> UInt64)? = nil) -> Remains {
        var remains = Remains()
        // A pipe in its place must not be waited for.
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

    /// Removes a file, and overwrites what was in flight: it may hold secrets.
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

    /// The marks in a file with their slots; read and not mapped, for that would fill the holes, which may have no room.
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

    /// Reads bytes, as far as there are any.
    private static func read(_ number: Int32, _ count: Int, at offset: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let taken = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(number, buffer.baseAddress, buffer.count, off_t(offset))
        }
        return Array(bytes.prefix(max(0, taken)))
    }

    /// The reason why a file is no flight record of this layout; nil if it is one.
    private static func fault(of number: Int32) -> String? {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { return unsafe String(cString: strerror(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { return "it is no file" }
        let found = read(number, header.count, at: 0)
        guard found.starts(with: header.prefix(8)) else { return "it is no flight record" }
        guard found == header else { return "it has another layout" }
        return status.st_size < size ? "it is cut short" : nil
    }

    private static func offset(of slot: Int) -> Int { headerSize + slot * FlightSlot.size }

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
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

/// A slot, and who may have it: all threads look at it.
struct FlightLane: ~Copyable {
    let slot: FlightSlot
    private let isClaimed = Atomic(false)
    /// True once a thread has had it, and its first page has room.
    let isUsed = Atomic(false)

    init(_ slot: FlightSlot) {
        self.slot = slot
    }

    func claim() -> Bool {
        isClaimed.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    func giveBack() { isClaimed.store(false, ordering: .releasing) }
}

/// The part of a lane that only the thread looks at which has claimed it.
@safe
struct FlightWriter {
    let lane: UnsafePointer<FlightLane>
    let slot: FlightSlot
    /// Bytes of the slot that have room on the disk.
    fileprivate(set) var allocated = 0
    private var thread = 0
    /// The stack of the thread for the handlers of signals, if it has got one here.
    private var stack: UnsafeMutableRawPointer?
    private var sequence: UInt64 = 0
    /// Bytes of the payload that stands in the slot.
    private var payload = 0

    init(_ lane: UnsafePointer<FlightLane>) {
        unsafe self.lane = lane
        slot = unsafe lane.pointee.slot
    }

    /// This thread has the lane from now on.
    fileprivate mutating func enter() {
        thread = Int(usher_thread_id())
        unsafe stack = CrashHandler.addStack()
    }

    /// The thread ends, and another may have its lane.
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

    mutating func beginEffect(
        _ id: [UInt8], _ session: (high: UInt64, low: UInt64), _ app: String, in record: FlightRecord
    ) {
        begin(.effect, session, app, 0, 0, 0, id, in: record)
        slot.sequence = sequence | FlightSlot.unwatched
    }

    @inline(__always)
    mutating func end() {
        guard payload > 0 || slot.sequence != 0 else { return }
        slot.sequence = 0
        slot.erase(payload)
        payload = 0
    }

    /// Seldom, for the first page has room for most payloads.
    @inline(never)
    private mutating func makeRoom(for count: Int, in record: FlightRecord) {
        let pages = (FlightSlot.head + count + FlightSlot.page - 1) / FlightSlot.page
        let wanted = min(pages * FlightSlot.page, FlightSlot.size)
        // On a full disk the payload is cut.
        _ = unsafe withUnsafeMutablePointer(to: &self) { writer in unsafe record.allocate(wanted, for: writer) }
    }
}
