internal import UsherJournal

/// What a session has in the table of recent entries.
struct RecentSession {
    /// Its newest head, from which the one in `rows` differs by the entries; nil where there are none, or that one cannot
    /// be read.
    private(set) var head: SessionHeader?
    /// The entries that are not in `rows` yet, in the order of their revisions; the last is that of the head's.
    private(set) var entries: [[UInt8]] = []
    /// The generation of its newest entry.
    var generation: Int
    /// Whether its rows in `rows` are damaged, so that its entries can be neither filed nor read.
    var isStuck = false

    /// A session of which no entry in the table counts.
    init(filedIn generation: Int) {
        self.generation = generation
    }

    /// The revision of the first entry that is not in `rows`.
    private var firstRevision: Int { (head?.revision ?? 0) &- entries.count &+ 1 }

    mutating func append(_ entry: [UInt8], _ head: SessionHeader, in generation: Int) {
        entries.append(entry)
        self.head = head
        self.generation = generation
    }

    /// Takes in an entry that follows on nobody knows what.
    mutating func appendStuck(_ entry: [UInt8]) {
        entries.append(entry)
        isStuck = true
    }

    /// Takes back the newest entry.
    ///
    /// - Returns: Its size.
    mutating func takeBack(to head: SessionHeader, in generation: Int) -> Int {
        self.head = head
        self.generation = generation
        return entries.popLast()?.count ?? 0
    }

    /// The entries with their revisions.
    var rows: [Store.Row] {
        entries.enumerated().map { (slot: firstRevision &+ $0, content: $1) }
    }

    /// The rows in which the entries are filed: several together, as long as they fit into a page of the tree.
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
