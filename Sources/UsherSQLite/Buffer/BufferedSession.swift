import UsherJournal

/// A row of a session: its slot, and its content.
typealias SessionRow = (slot: Int, content: [UInt8])

/// The header of a session, as it was found in its rows.
enum StoredHeader {
    /// There is no such session.
    case missing
    /// It can be read.
    case intact(SessionHeader)
    /// It cannot be read, or other rows of the session are missing.
    case damaged(EntryError)

    /// The position on which a change must follow.
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
/// A class, for each change looks at one. The journal's thread alone does, so its state is accessed without checks for
/// exclusivity.
final class BufferedSession {
    /// Its newest header, from which the one in `rows` differs by the entries; nil where there are none, or that one
    /// cannot be read.
    @safe @exclusivity(unchecked) private(set) var header: SessionHeader?
    /// The entries that are not in `rows` yet, in the order of their revisions; the last is that of the header's.
    @safe @exclusivity(unchecked) private(set) var entries: [[UInt8]] = []
    /// The number of the segment that has its newest entry.
    @safe @exclusivity(unchecked) var segment: Int
    /// True where its rows in `rows` are damaged, so that its entries can be neither flushed nor read.
    @safe @exclusivity(unchecked) var isDamaged = false

    /// A session of which no entry in the buffer counts.
    init(flushedIn segment: Int) {
        self.segment = segment
    }

    /// The revision of the first entry that is not in `rows`.
    private var firstRevision: Int { (header?.revision ?? 0) &- entries.count &+ 1 }

    func append(_ entry: [UInt8], _ header: SessionHeader, in segment: Int) {
        entries.append(entry)
        self.header = header
        self.segment = segment
    }

    /// Takes in an entry of a session whose header cannot be read.
    func appendDamaged(_ entry: [UInt8]) {
        entries.append(entry)
        isDamaged = true
    }

    /// Takes back the newest entry.
    ///
    /// - Parameters:
    ///   - time: The time of the one before it: milliseconds since 1970.
    ///   - segment: The segment of that one.
    /// - Returns: Its size.
    func takeBack(toEntryAt time: Int64, in segment: Int) -> Int {
        let size = entries.popLast()?.count ?? 0
        header = header?.before(entryOf: size, afterOneAt: time)
        self.segment = segment
        return size
    }

    /// At most so many entries that follow on a revision; none where there is a gap before them.
    func entries(after revision: Int, limit: Int) -> ArraySlice<[UInt8]> {
        let start = revision &+ 1 &- firstRevision
        return entries.indices.contains(start) ? entries[start...].prefix(limit) : []
    }

    /// The rows that the entries become: several together, as long as they fit into a page of the tree.
    ///
    /// - Returns: Each with the revision of its first entry.
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

    /// Of a page of 4096 bytes a row gets at most 1002; what is larger would have further pages to itself.
    private static let runSize = 900
}
