import Synchronization

/// A slot of a flight record: the memory in which one thread at a time says what it runs.
///
/// ```
///    0  sequence     0 while nothing is in flight
///    8  checksum     over all that does not change while it is in flight
///   16  session      16 bytes
///   32  kind, entry's kind, cut, length of the app's name; length of the payload (4 bytes)
///   40  time of day, 48  begin, 56  thread
///   64  revision     moves on in a replay
///   72  note's kind, 80  its amount, 88  length of the stack's text
///   96  number of return addresses
///  128  app's name   64 bytes
///  192  return addresses, 64 of 8 bytes
///  704  stack's text
/// 3072  payload
/// ```
@safe
struct FlightSlot: @unchecked Sendable {  // because one thread writes it, and readers check the sequence
    /// Bytes of a slot: room for the largest body and for the largest output of an effect, with what stands around them.
    static let size = 96 * 1024
    /// Bytes of a slot up to its payload.
    static let head = 3_072
    /// The first page: the head, and room for most payloads.
    static let page = 4_096
    static let nameLimit = 64
    static let frameLimit = 64
    static let stackLimit = head - Offset.stack

    private enum Offset {
        static let checksum = 8
        static let session = 16
        static let kinds = 32
        static let time = 40
        static let begin = 48
        static let thread = 56
        static let revision = 64
        static let note = 72
        static let amount = 80
        static let stackCount = 88
        static let frameCount = 96
        static let name = 128
        static let frames = 192
        static let stack = 704
    }

    private let base: UnsafeMutableRawPointer

    init(_ base: UnsafeMutableRawPointer) {
        unsafe self.base = base
    }

    // MARK: Writing, by the thread that has it

    /// The number of what is in flight; 0 for nothing.
    @inline(__always)
    var sequence: UInt64 {
        get { unsafe atomic(0).pointee.load(ordering: .acquiring) }
        nonmutating set { unsafe atomic(0).pointee.store(newValue, ordering: .releasing) }
    }

    /// Writes a mark; it counts once the sequence is set.
    ///
    /// - Returns: The number of bytes of the payload for which there was room.
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
        unsafe base.storeBytes(of: kinds, toByteOffset: Offset.kinds, as: UInt64.self)
        unsafe base.storeBytes(of: time, toByteOffset: Offset.time, as: Int64.self)
        // The watchdog may look at these while they change.
        unsafe atomic(Offset.begin).pointee.store(UInt64(bitPattern: begin), ordering: .relaxed)
        unsafe atomic(Offset.revision).pointee.store(UInt64(bitPattern: Int64(revision)), ordering: .relaxed)
        unsafe base.storeBytes(of: thread, toByteOffset: Offset.thread, as: Int.self)
        unsafe base.storeBytes(of: 0, toByteOffset: Offset.note, as: UInt64.self)
        unsafe base.storeBytes(of: 0, toByteOffset: Offset.stackCount, as: UInt64.self)
        unsafe base.storeBytes(of: 0, toByteOffset: Offset.frameCount, as: UInt64.self)
        unsafe base.storeBytes(of: checksum(name: name, payload: count), toByteOffset: Offset.checksum, as: UInt64.self)
        return count
    }

    /// Writes the app's name, cut where there is no room.
    ///
    /// - Returns: Its length.
    @inline(__always)
    private func writeName(_ app: String) -> Int {
        let count = min(app.utf8.count, Self.nameLimit)
        // The last word is whole, for the checksum.
        unsafe base.storeBytes(of: 0, toByteOffset: Offset.name + max(0, count - 1) / 8 * 8, as: UInt64.self)
        unsafe app.utf8.span.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return }
            unsafe (base + Offset.name).copyMemory(from: source, byteCount: count)
        }
        return count
    }

    /// Writes a whole mark, which counts at once.
    func write(_ mark: FlightMark) {
        _ = write(
            mark.kind, session: mark.session, app: mark.app, revision: mark.revision, entryKind: mark.entryKind,
            time: mark.time, payload: mark.payload, room: Self.size - Self.head, begin: mark.begin, thread: mark.thread)
        if let note = mark.note { self.note(note) }
        write(stack: Array(mark.stack.joined(separator: "\n").utf8))
        sequence = mark.kind == .effect ? 1 | Self.unwatched : 1
    }

    /// Moves a replay on.
    func advance(to revision: Int) {
        unsafe atomic(Offset.revision).pointee.store(UInt64(bitPattern: Int64(revision)), ordering: .relaxed)
    }

    /// Overwrites a payload, which may hold secrets.
    @inline(__always)
    func erase(_ count: Int) {
        unsafe (base + Self.head).initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    // MARK: The watchdog's part

    /// Notes a remark.
    func note(_ note: FlightMark.Note) {
        let (kind, amount): (UInt64, Int64) =
            switch note {
            case .overtime(let nanoseconds): (1, nanoseconds)
            case .memory(let bytes): (2, bytes)
            case .crashes(let count): (3, count)
            }
        unsafe base.storeBytes(of: amount, toByteOffset: Offset.amount, as: Int64.self)
        unsafe base.storeBytes(of: kind, toByteOffset: Offset.note, as: UInt64.self)
    }

    /// The place for the return addresses of the thread, and for their number, which is set last.
    var frames: (addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>, count: UnsafeMutablePointer<Atomic<UInt64>>)
    {
        unsafe (
            (base + Offset.frames).assumingMemoryBound(to: UnsafeMutableRawPointer?.self), atomic(Offset.frameCount)
        )
    }

    /// Writes the stack's text, cut where there is no room.
    func write(stack text: [UInt8]) {
        let count = min(text.count, Self.stackLimit)
        for index in 0..<count {
            unsafe base.storeBytes(of: text[index], toByteOffset: Offset.stack + index, as: UInt8.self)
        }
        unsafe base.storeBytes(of: UInt64(count), toByteOffset: Offset.stackCount, as: UInt64.self)
    }

    // MARK: Reading, by anybody

    /// A finding in a slot.
    enum Reading: Equatable {
        /// Nothing is in flight.
        case nothing
        /// Something is.
        case mark(FlightMark)
        /// It is not whole, or was changed meanwhile.
        case torn
    }

    /// Set in the sequence of what may take its time.
    static let unwatched: UInt64 = 1 << 63

    /// The sight of the slot for a watchdog; nil where nothing is in flight that it has to watch.
    func sight(as index: Int) -> FlightWatch.Sight? {
        let sequence = sequence
        guard sequence != 0, sequence & Self.unwatched == 0 else { return nil }
        return FlightWatch.Sight(slot: index, sequence: sequence, revision: revision, begin: begin)
    }

    private var revision: Int {
        unsafe Int(truncatingIfNeeded: atomic(Offset.revision).pointee.load(ordering: .relaxed))
    }

    private var begin: Int64 {
        unsafe Int64(bitPattern: atomic(Offset.begin).pointee.load(ordering: .relaxed))
    }

    /// The system's number of the thread that has it.
    var thread: Int { unsafe base.load(fromByteOffset: Offset.thread, as: Int.self) }

    /// Reads the slot.
    var reading: Reading {
        let before = sequence
        guard before != 0 else { return .nothing }
        let kinds = unsafe base.load(fromByteOffset: Offset.kinds, as: UInt64.self)
        let (name, count) = (Int(kinds >> 24 & 0xFF), Int(kinds >> 32))
        let stack = unsafe base.load(fromByteOffset: Offset.stackCount, as: UInt64.self)
        guard let kind = FlightMark.Kind(rawValue: UInt8(truncatingIfNeeded: kinds)), name <= Self.nameLimit,
            count <= Self.size - Self.head, stack <= UInt64(Self.stackLimit),
            unsafe base.load(fromByteOffset: Offset.checksum, as: UInt64.self) == checksum(name: name, payload: count)
        else { return .torn }
        let mark = unsafe FlightMark(
            kind,
            of: (
                base.load(fromByteOffset: Offset.session, as: UInt64.self),
                base.load(fromByteOffset: Offset.session + 8, as: UInt64.self)
            ),
            app: text(at: Offset.name, name), upon: revision,
            entryKind: UInt8(truncatingIfNeeded: kinds >> 8),
            at: base.load(fromByteOffset: Offset.time, as: Int64.self), payload: bytes(at: Self.head, count),
            isCut: kinds >> 16 & 1 == 1, thread: base.load(fromByteOffset: Offset.thread, as: Int.self),
            begin: begin, note: note,
            stack: text(at: Offset.stack, Int(stack)).split(separator: "\n").map(String.init))
        return sequence == before ? .mark(mark) : .torn
    }

    private var note: FlightMark.Note? {
        let amount = unsafe base.load(fromByteOffset: Offset.amount, as: Int64.self)
        return switch unsafe base.load(fromByteOffset: Offset.note, as: UInt64.self) {
        case 1: .overtime(nanoseconds: amount)
        case 2: .memory(bytes: amount)
        case 3: .crashes(amount)
        default: nil
        }
    }

    private func text(at offset: Int, _ count: Int) -> String {
        String(decoding: bytes(at: offset, count), as: UTF8.self)
    }

    private func bytes(at offset: Int, _ count: Int) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: base + offset, count: count))
    }

    @inline(__always)
    private func checksum(name: Int, payload: Int) -> UInt64 {
        let sum = add(Offset.revision - Offset.session, at: Offset.session, to: 0x9E37_79B9_7F4A_7C15)
        return add(payload, at: Self.head, to: add(name, at: Offset.name, to: sum))
    }

    /// Adds bytes to a checksum, eight at a time; behind the last there are zeros.
    @inline(__always)
    private func add(_ count: Int, at start: Int, to sum: UInt64) -> UInt64 {
        var (sum, offset) = (sum, start)
        let end = start + count
        while offset < end {
            sum = unsafe Self.mix(sum, base.load(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        return sum
    }

    @inline(__always)
    private static func mix(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = (sum ^ word) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ (mixed >> 29)
    }

    @inline(__always)
    private func atomic(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        unsafe (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }
}
