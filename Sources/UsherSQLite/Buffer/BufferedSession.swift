import UsherJournal

typealias SessionRow = (slot: Int, content: [UInt8])

/// The header of a session in the table `rows`, if it can be read.
enum StoredHeader {
    case missing
    case intact(SessionHeader)
    /// The header is unreadable, or other rows of the session are missing.
    case damaged(EntryError)

    /// The position that the next change must follow.
    var position: RecordPosition {
        switch self {
        case .missing: .missing
        case .intact(let header): RecordPosition(header)
        case .damaged(let error): .damaged(error)
        }
    }
}

/// The entries of a session in the write buffer.
///
/// The type is a class, because each change uses such an object. Only the journal's thread accesses it, so exclusivity
/// is not checked.
final class BufferedSession {
    /// The header after the buffered entries; nil if there are no entries, or if the header in `rows` is unreadable.
    @safe @exclusivity(unchecked) private(set) var header: SessionHeader?
    /// The entries that are not in `rows` yet, in the order of revisions.
    @safe @exclusivity(unchecked) private(set) var entries: [[UInt8]] = []
    /// The number of the segment with the newest entry.
    @safe @exclusivity(unchecked) var segment: Int
    /// A Boolean value that indicates whether the entries cannot be flushed and read, because the session's rows in
    /// `rows` are damaged.
    @safe @exclusivity(unchecked) var isDamaged = false

    /// Creates a session without valid entries in the buffer.
    init(flushedIn segment: Int) {
        self.segment = segment
    }

    private var firstRevision: Int { (header?.revision ?? 0) &- entries.count &+ 1 }

    func append(_ entry: [UInt8], _ header: SessionHeader, in segment: Int) {
        entries.append(entry)
        self.header = header
        self.segment = segment
    }

    /// Appends an entry of a session whose header is unreadable.
    func appendDamaged(_ entry: [UInt8]) {
        entries.append(entry)
        isDamaged = true
    }

    /// Removes the newest entry and returns its size, given the time (in milliseconds since 1970) and the segment of
    /// the previous entry.
    func takeBack(toEntryAt time: Int64, in segment: Int) -> Int {
        let size = entries.popLast()?.count ?? 0
        header = header?.before(entryOf: size, afterOneAt: time)
        self.segment = segment
        return size
    }

    /// Returns at most `limit` entries after a revision; no entries if the revision's next entry is not buffered.
    func entries(after revision: Int, limit: Int) -> ArraySlice<[UInt8]> {
        let start = revision &+ 1 &- firstRevision
        return entries.indices.contains(start) ? entries[start...].prefix(limit) : []
    }

    /// The rows in which the entries are flushed, each with its first revision and as many entries as fit into a page
    /// of the database's tree.
    var runs: [(revision: Int, content: [UInt8])] {
        var runs: [(revision: Int, content: [UInt8])] = []
        var start = 0
        var size = 0
        for (index, entry) in entries.enumerated() {
            if index > start, size + entry.count > Self.runSize {
                runs.append((firstRevision &+ start, EntryRun.bytes(entries[start..<index])))
                (start, size) = (index, 0)
            }
            size += entry.count + 2
        }
        return runs + [(firstRevision &+ start, EntryRun.bytes(entries[start...]))]
    }

    /// The maximum size in bytes of a row with several entries.
    ///
    /// In a page of 4096 bytes, a row gets at most 1002 bytes. A larger row would use overflow pages.
    private static let runSize = 900
}
