/// Estimates of the largest memory that work takes, temporarily or permanently, for `AdmissionGate`.
enum ExpectedMemory {
    /// A session and its tree, in bytes.
    static let session = 16 << 10
    /// A stream with its connection's buffers, in bytes.
    static let stream = 16 << 10
    /// The largest body, in bytes, that takes too little memory to count.
    static let smallBody = 4 << 10

    /// Returns the memory of a request: its parsed body, the app's values, the entry, and the state that contains them.
    static func body(of bytes: Int) -> Int { bytes * 12 }

    /// Returns the memory of a session's record: its bytes, its entries, and the tree that they replay to.
    static func record(of bytes: Int) -> Int { bytes * 4 }
}
