/// A piece of a streamed body; several streams can share its bytes.
package struct BodyPiece: Sendable {
    package let bytes: [UInt8]
    fileprivate let holder: (any AnyObject & Sendable)?

    /// Creates a piece.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, which are not copied.
    ///   - holder: An object to retain until the piece was sent or its stream is closed. The object's `deinit` shows
    ///     that no stream holds the bytes any more.
    package init(_ bytes: [UInt8], holding holder: (any AnyObject & Sendable)? = nil) {
        self.bytes = bytes
        self.holder = holder
    }
}

/// A queue of pieces that is read as one sequence of bytes; each piece is released as soon as it was read.
struct PieceQueue {
    private var pieces: [BodyPiece] = []
    private var first = 0
    /// The number of bytes of the piece at `first` that were read.
    private var offset = 0
    /// The number of bytes in the queue.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: [BodyPiece]) {
        for piece in more where !piece.bytes.isEmpty {
            pieces.append(piece)
            count += piece.bytes.count
        }
    }

    /// Removes and returns at most `limit` bytes, as slices of their pieces.
    mutating func removeFirst(upTo limit: Int) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var rest = min(limit, count)
        count -= rest
        while rest > 0 {
            let part = pieces[first].bytes[offset...].prefix(rest)
            parts.append(part)
            rest -= part.count
            offset = part.endIndex
            if offset == pieces[first].bytes.count { dropFirst() }
        }
        return parts
    }

    private mutating func dropFirst() {
        pieces[first] = BodyPiece([])
        first += 1
        offset = 0
        if first == pieces.count {
            pieces = []
            first = 0
        } else if first > pieces.count / 2 {
            pieces.removeFirst(first)  // Moves fewer pieces than the reader has read since the last call.
            first = 0
        }
    }
}
