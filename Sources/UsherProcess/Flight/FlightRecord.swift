import CProcess
import Glibc
import Synchronization

/// The flight record: a mapped file in which each thread that runs author's code says whose, and which outlives the
/// process.
///
/// A mark costs some stores into memory, no system call and no allocation. A thread claims a slot when it sets its first
/// mark, and has it until it ends. The file is sparse: a thread takes one page, and more where a payload is large. These
/// are allocated before they are written to, for a store into a hole of a full disk would end the process.
@safe
package final class FlightRecord: @unchecked Sendable {  // because a slot is written by the thread that claimed it
    /// Slots, as many as threads may run author's code: more than a daemon and the runtime have.
    static let slotCount = 384

    private let memory: UnsafeMutableRawPointer
    private let lanes: UnsafePointer<FlightLane>
    /// The lanes' writers, in their order.
    private let writers: UnsafeMutablePointer<FlightWriter>
    private let key: pthread_key_t
    /// The slots before this number have been used, if any.
    private let used = Atomic(0)
    /// Marks of a dead process, with their slots.
    private let held = Mutex<[(mark: FlightMark, slot: Int)]>([])
    private let file: (path: String, descriptor: Int32)?
    /// The rests of the watchdog, which each mark may end.
    let beat = Beat()

    /// Makes a record in memory alone: for a watchdog, where nothing has to outlive the process.
    ///
    /// - Throws: `FlightRecordError`.
    package convenience init() throws(FlightRecordError) {
        try self.init(file: nil)
    }

    /// Makes a record in a file, for its owner alone; one that is there is erased, and replaced.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - marks: Marks of a dead process, which stand in the file until they are released: this process may die too before
    ///     it has done with them.
    /// - Throws: `FlightRecordError`.
    package convenience init(at path: String, holding marks: [FlightMark] = []) throws(FlightRecordError) {
        FlightFile.erase(path)
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FlightRecordError(path: path, number: errno) }
        do throws(FlightRecordError) {
            try FlightFile.begin(descriptor, path)
            try self.init(file: (path, descriptor))
            for mark in marks.filter({ $0.kind != .effect }) + FlightMark.effects(among: marks) { hold(mark) }
        } catch {
            Glibc.close(descriptor)
            unsafe unlink(path)
            throw error
        }
    }

    private init(file: (path: String, descriptor: Int32)?) throws(FlightRecordError) {
        let flags = file == nil ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED
        let memory = unsafe mmap(
            nil, FlightFile.size, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, file?.descriptor ?? -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
            throw FlightRecordError(path: file?.path ?? "", number: errno)
        }
        var key = pthread_key_t()
        let failure = unsafe pthread_key_create(&key) { writer in
            // The thread ends, and somebody else may have its slot.
            unsafe writer?.assumingMemoryBound(to: FlightWriter.self).pointee.lane.pointee.giveBack()
        }
        guard failure == 0 else {
            unsafe munmap(memory, FlightFile.size)
            throw FlightRecordError(path: file?.path ?? "", number: failure)
        }
        unsafe self.memory = memory
        self.key = key
        self.file = file
        let lanes = UnsafeMutablePointer<FlightLane>.allocate(capacity: Self.slotCount)
        unsafe writers = .allocate(capacity: Self.slotCount)
        for index in 0..<Self.slotCount {
            let slot = unsafe FlightSlot(memory + FlightFile.offset(of: index))
            unsafe (lanes + index).initialize(to: FlightLane(slot))
            let room = file == nil ? FlightSlot.size : 0
            unsafe (writers + index).initialize(to: FlightWriter(UnsafePointer(lanes + index), allocated: room))
        }
        unsafe self.lanes = UnsafePointer(lanes)
    }

    deinit {
        pthread_key_delete(key)
        unsafe writers.deallocate()
        let lanes = unsafe UnsafeMutablePointer(mutating: lanes)
        unsafe lanes.deinitialize(count: Self.slotCount)
        unsafe lanes.deallocate()
        unsafe munmap(memory, FlightFile.size)
        if let file { Glibc.close(file.descriptor) }
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

    /// All that is in flight now, but effects, which come to their end by themselves or do not outlive the process.
    package var marks: [FlightMark] {
        sights.compactMap { if case .mark(let mark) = slot($0.slot).reading { mark } else { nil } }
    }

    /// True while author's code runs in this process, effects apart.
    package var isInFlight: Bool { !sights.isEmpty }

    /// Marks that are held, but those of effects: a process that ends as it should forgets their crashes.
    private var heldCount: Int { held.withLock { held in held.count { $0.mark.kind != .effect } } }

    /// Removes the file, unless marks are held or something is in flight: the process ends as it should.
    package func close() {
        guard let file, heldCount == 0, !isInFlight else { return }
        FlightFile.erase(file.path)
    }

    /// Writes a mark of a dead process into a slot that no thread gets.
    private func hold(_ mark: FlightMark) {
        for index in 0..<Self.slotCount where unsafe lanes[index].claim() {
            guard unsafe allocate(FlightSlot.head + mark.payload.count, for: writers + index) else {
                return unsafe lanes[index].giveBack()
            }
            unsafe lanes[index].slot.write(mark)
            return held.withLock { $0.append((mark, index)) }
        }
    }

    /// Forgets a mark of a dead process: it was dealt with.
    ///
    /// - Parameter mark: One of those that the record was made with.
    package func release(_ mark: FlightMark) {
        let index = held.withLock { held in
            held.firstIndex { $0.mark == mark }.map { held.remove(at: $0).slot }
        }
        guard let index else { return }
        unsafe lanes[index].slot.sequence = 0
        unsafe lanes[index].slot.erase(mark.payload.count)
        unsafe lanes[index].giveBack()
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
            unsafe writers[index].thread = Int(usher_thread_id())
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
        guard let file, unsafe writer.pointee.allocated < count else { return true }
        let start = unsafe FlightFile.offset(of: writer - writers)
        guard posix_fallocate(file.descriptor, off_t(start), off_t(count)) == 0 else { return false }
        unsafe writer.pointee.allocated = count
        return true
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
    fileprivate(set) var allocated: Int
    fileprivate(set) var thread = 0
    private var sequence: UInt64 = 0
    /// Bytes of the payload that stands in the slot.
    private var payload = 0

    init(_ lane: UnsafePointer<FlightLane>, allocated: Int) {
        unsafe self.lane = lane
        slot = unsafe lane.pointee.slot
        self.allocated = allocated
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
