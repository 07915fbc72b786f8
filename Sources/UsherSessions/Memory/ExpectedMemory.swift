/// The memory that work may take at most, while it is under way or for good: estimates, for `AdmissionGate`.
enum ExpectedMemory {
    /// A session and the tree of an app.
    static let session = 16 << 10
    /// A stream, with its connection's buffers.
    static let stream = 16 << 10
    /// Bodies of at most so many bytes take too little to be counted.
    static let smallBody = 4 << 10

    /// A request by its body: what it is parsed into, what author's code makes of it, its entry, and the state that has it.
    static func body(of bytes: Int) -> Int { bytes * 12 }

    /// A session's record: its bytes, its entries, and the tree that they lead to.
    static func record(of bytes: Int) -> Int { bytes * 4 }
}
