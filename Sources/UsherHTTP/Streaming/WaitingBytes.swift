/// A queue of bytes, which holds no memory while it is empty.
struct WaitingBytes {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: [UInt8]) {
        if isEmpty { bytes = more } else { bytes += more }
    }

    /// Removes and returns the first bytes, at most so many.
    mutating func removeFirst(upTo limit: Int) -> ArraySlice<UInt8> {
        let first = bytes[start...].prefix(limit)
        start = first.endIndex
        if isEmpty {
            self = WaitingBytes()
        } else if start > bytes.count / 2 {
            bytes.removeSubrange(..<start)  // Moves fewer than were taken since the last time.
            start = 0
        }
        return first
    }

    mutating func removeAll() {
        self = WaitingBytes()
    }
}
