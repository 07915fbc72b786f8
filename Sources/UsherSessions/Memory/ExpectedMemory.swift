/// Estimates of the most memory that work can need, temporarily or permanently, for `AdmissionGate`.
enum ExpectedMemory {
    /// A session and its tree, in bytes.
    static let session = 16 << 10
    /// A stream with its connection's buffers, in bytes.
    static let stream = 16 << 10
    /// The largest size of a body, in bytes, whose memory is negligible.
    static let smallBody = 4 << 10

    /// Returns the memory for a request with a body: the parsed body, the app's values, the entry, and the state.
    static func body(of bytes: Int) -> Int { bytes * 12 }

    /// Returns the memory for a session's record of a size: the bytes, the entries, and the tree after the replay.
    static func record(of bytes: Int) -> Int { bytes * 4 }
}
