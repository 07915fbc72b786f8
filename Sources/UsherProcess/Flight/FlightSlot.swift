import Synchronization

/// A slot of a flight record: the memory in which one thread at a time marks what it runs.
///
/// ```
///    0  sequence     0 while nothing is in flight
///    8  session      16 bytes
///   24  kind, entry's kind, cut, length of the app's name; length of the payload (4 bytes)
///   32  time of day, 40  begin, 48  thread
///   56  revision     moves on in a replay
///   64  note's kind, 72  its amount
///   80  number of return addresses
///  128  app's name   64 bytes
///  192  return addresses, 64 of 8 bytes
///  704  payload
/// ```
@safe
struct FlightSlot: @unchecked Sendable {  // because one thread writes it, and readers check the sequence
    /// The number of bytes of a slot: enough for the largest body, or the largest output of an effect, with its
    /// surroundings.
    static let size = 96 * 1024
    /// The number of bytes before the payload.
    static let head = 704
    /// The size of the first page, which holds the head and most payloads.
    static let page = 4_096
    static let nameLimit = 64
    static let frameLimit = 64

    private enum Offset {
        static let session = 8
        static let kinds = 24
        static let time = 32
        static let begin = 40
        static let thread = 48
        static let revision = 56
        static let note = 64
        static let amount = 72
        static let frameCount = 80
        static let name = 128
        static let frames = 192
    }

    private let base: UnsafeMutableRawPointer

    init(_ base: UnsafeMutableRawPointer) {
        unsafe self.base = base
    }

    // MARK: Writing, by the thread that has claimed the slot

    @inline(__always)
    var sequence: UInt64 {
        get { unsafe atomic(0).pointee.load(ordering: .acquiring) }
        nonmutating set { unsafe atomic(0).pointee.store(newValue, ordering: .releasing) }
    }

    /// Writes a mark, which becomes valid when the sequence is set, and returns how many bytes of the payload fit.
    @inline(__always)
    func write(
        _ kind: FlightMark.Kind, session: (high: UInt64, low: UInt64), app: String, revision: Int, entryKind: UInt8,
        time: Int64, payload: [UInt8], room: Int, begin: Int64, thread: Int
    ) -> Int {
        let count = min(payload.count, room)
        let cut: UInt64 = count < payload.count ? 1 : 0
        let name = writeName(app)
        unsafe payload.withUnsafeBytes { bytes in
            guard count > 0, let source = bytes.baseAddress else { return }
            unsafe (base + Self.head).copyMemory(from: source, byteCount: count)
        }
        let kinds =
            UInt64(kind.rawValue) | UInt64(entryKind) << 8 | cut << 16 | UInt64(name) << 24 | UInt64(count) << 32
        unsafe base.storeBytes(of: session.high, toByteOffset: Offset.session, as: UInt64.self)
        unsafe base.storeBytes(of: session.low, toByteOffset: Offset.session + 8, as: UInt64.self)
        unsafe base.storeBytes(of: time, toByteOffset: Offset.time, as: Int64.self)
        // The stores are atomic, because the watchdog may read the values while they change.
        unsafe atomic(Offset.kinds).pointee.store(kinds, ordering: .relaxed)
        unsafe atomic(Offset.begin).pointee.store(UInt64(bitPattern: begin), ordering: .relaxed)
        unsafe atomic(Offset.revision).pointee.store(UInt64(bitPattern: Int64(revision)), ordering: .relaxed)
        unsafe base.storeBytes(of: thread, toByteOffset: Offset.thread, as: Int.self)
        unsafe base.storeBytes(of: 0, toByteOffset: Offset.note, as: UInt64.self)
        unsafe base.storeBytes(of: 0, toByteOffset: Offset.frameCount, as: UInt64.self)
        return count
    }

    /// Writes the app's name, cut to the limit, and returns the number of bytes written.
    @inline(__always)
    private func writeName(_ app: String) -> Int {
        let count = min(app.utf8.count, Self.nameLimit)
        unsafe app.utf8.span.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return }
            unsafe (base + Offset.name).copyMemory(from: source, byteCount: count)
        }
        return count
    }

    /// Sets the revision that a replay has reached.
    func advance(to revision: Int) {
        unsafe atomic(Offset.revision).pointee.store(UInt64(bitPattern: Int64(revision)), ordering: .relaxed)
    }

    /// Overwrites a payload, which may hold secrets.
    @inline(__always)
    func erase(_ count: Int) {
        unsafe (base + Self.head).initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    // MARK: The end of the process

    /// Records why the process ends.
    func note(_ note: FlightMark.Note) {
        let (kind, amount): (UInt64, Int64) =
            switch note {
            case .overtime(let nanoseconds): (1, nanoseconds)
            case .memory(let bytes): (2, bytes)
            case .signal(let signal): (3, Int64(signal))
            case .exit(let status): (4, Int64(status))
            }
        unsafe base.storeBytes(of: amount, toByteOffset: Offset.amount, as: Int64.self)
        unsafe base.storeBytes(of: kind, toByteOffset: Offset.note, as: UInt64.self)
    }

    var frames: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
        unsafe (base + Offset.frames).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }

    /// The number of return addresses; this number is written after the addresses.
    var frameCount: UInt64 {
        get { unsafe atomic(Offset.frameCount).pointee.load(ordering: .acquiring) }
        nonmutating set { unsafe atomic(Offset.frameCount).pointee.store(newValue, ordering: .releasing) }
    }

    // MARK: Reading, by anybody

    /// Returns the part of the slot that the watchdog reads; nil if there is no mark, or that of an effect's own work,
    /// which has no time limit.
    func sight(as index: Int) -> FlightWatch.Sight? {
        let sequence = sequence
        guard sequence != 0, UInt8(truncatingIfNeeded: kinds) != FlightMark.Kind.effect.rawValue else { return nil }
        return FlightWatch.Sight(slot: index, sequence: sequence, revision: revision, begin: begin)
    }

    private var kinds: UInt64 { unsafe atomic(Offset.kinds).pointee.load(ordering: .relaxed) }

    private var revision: Int {
        unsafe Int(truncatingIfNeeded: atomic(Offset.revision).pointee.load(ordering: .relaxed))
    }

    private var begin: Int64 {
        unsafe Int64(bitPattern: atomic(Offset.begin).pointee.load(ordering: .relaxed))
    }

    /// The system's id of the thread that claimed the slot.
    var thread: Int { unsafe base.load(fromByteOffset: Offset.thread, as: Int.self) }

    /// The mark in the slot; nil if there is none, or if the mark changed while it was read.
    var mark: FlightMark? {
        let before = sequence
        let kinds = kinds
        let (name, count) = (Int(kinds >> 24 & 0xFF), Int(kinds >> 32))
        guard before != 0, let kind = FlightMark.Kind(rawValue: UInt8(truncatingIfNeeded: kinds)),
            name <= Self.nameLimit, count <= Self.size - Self.head
        else { return nil }
        let mark = unsafe FlightMark(
            kind,
            of: (
                base.load(fromByteOffset: Offset.session, as: UInt64.self),
                base.load(fromByteOffset: Offset.session + 8, as: UInt64.self)
            ),
            app: String(decoding: bytes(at: Offset.name, name), as: UTF8.self), upon: revision,
            entryKind: UInt8(truncatingIfNeeded: kinds >> 8),
            at: base.load(fromByteOffset: Offset.time, as: Int64.self), payload: bytes(at: Self.head, count),
            isCut: kinds >> 16 & 1 == 1, note: note,
            frames: (0..<Int(min(frameCount, UInt64(Self.frameLimit)))).map {
                unsafe base.load(fromByteOffset: Offset.frames + $0 * 8, as: UInt64.self)
            })
        return sequence == before ? mark : nil
    }

    private var note: FlightMark.Note? {
        let amount = unsafe base.load(fromByteOffset: Offset.amount, as: Int64.self)
        return switch unsafe base.load(fromByteOffset: Offset.note, as: UInt64.self) {
        case 1: .overtime(nanoseconds: amount)
        case 2: .memory(bytes: amount)
        case 3: .signal(Int32(truncatingIfNeeded: amount))
        case 4: .exit(Int32(truncatingIfNeeded: amount))
        default: nil
        }
    }

    private func bytes(at offset: Int, _ count: Int) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: base + offset, count: count))
    }

    @inline(__always)
    private func atomic(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        unsafe (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }
}
