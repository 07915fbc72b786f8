/// Reads a JSON text into a tape, in one pass (RFC 8259, with unique member names as in RFC 7493).
struct Parser {
    let bytes: [UInt8]
    var position = 0
    var tape: Tape

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        tape = Tape(bytes: bytes)
        // About as many as a text with short values has; a short text's stand in place.
        if bytes.count > 256 { tape.tokens.reserveCapacity(min(bytes.count / 5 + 4, 4096)) }
    }

    /// Reads the whole text: one value, and nothing after it.
    mutating func parse() throws(JSONError) -> Tape {
        guard bytes.count < Int(UInt32.max) else { throw failure("a text longer than 4 GiB") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw failure("a byte order mark is not allowed") }
        skipSpace()
        try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw failure("expected the end of the text, found \(found)") }
        return tape
    }

    mutating func value(depth: Int) throws(JSONError) {
        switch peek {
        case ASCII.quote: try string()
        case ASCII.openBrace: try object(depth: depth + 1)
        case ASCII.openBracket: try array(depth: depth + 1)
        case ASCII.minus, ASCII.zero...ASCII.nine: try number()
        case UInt8(ascii: "t"): try literal("true", .yes)
        case UInt8(ascii: "f"): try literal("false", .no)
        case UInt8(ascii: "n"): try literal("null", .null)
        default: throw failure("expected a value, found \(found)")
        }
    }

    private mutating func literal(_ word: String, _ kind: Token.Kind) throws(JSONError) {
        let start = position
        for byte in word.utf8 {
            guard peek == byte else { throw failure("expected \(word), found \(found)") }
            position += 1
        }
        append(kind, from: start)
    }

    // MARK: The text

    /// The byte at hand, or 0 at the end: 0 begins nothing in JSON.
    @inline(__always)
    var peek: UInt8 { position < bytes.count ? bytes[position] : 0 }

    @inline(__always)
    mutating func skipSpace() {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == ASCII.space || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    @inline(__always)
    mutating func append(_ kind: Token.Kind, from start: Int, escaped: Bool = false) {
        tape.tokens.append(
            Token(
                kind: kind, escaped: escaped, start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: position), next: UInt32(truncatingIfNeeded: tape.tokens.count + 1)))
    }
}

extension Parser {
    mutating func object(depth: Int) throws(JSONError) {
        let index = try open(.object, depth: depth)
        var count = 0
        if peek != ASCII.closeBrace {
            while true {
                guard peek == ASCII.quote else { throw failure("expected a member's name in \", found \(found)") }
                try string()
                skipSpace()
                guard peek == ASCII.colon else { throw failure("expected a colon, found \(found)") }
                position += 1
                skipSpace()
                try value(depth: depth)
                count += 1
                guard try another(before: ASCII.closeBrace) else { break }
            }
        }
        close(index)
        if count > 1 { try refuseDuplicates(in: index, count: count) }
    }

    mutating func array(depth: Int) throws(JSONError) {
        let index = try open(.array, depth: depth)
        if peek != ASCII.closeBracket {
            repeat { try value(depth: depth) } while try another(before: ASCII.closeBracket)
        }
        close(index)
    }

    private mutating func open(_ kind: Token.Kind, depth: Int) throws(JSONError) -> Int {
        let index = tape.tokens.count
        append(kind, from: position)
        guard depth <= JSONDocument.maximumDepth else {
            let limit = JSONDocument.maximumDepth
            throw JSONError(.depth, "more than \(limit) levels of nesting", at: tape.place(of: index))
        }
        tape.tokens[index].next = 0
        position += 1
        skipSpace()
        return index
    }

    private mutating func close(_ index: Int) {
        position += 1
        tape.tokens[index].end = UInt32(truncatingIfNeeded: position)
        tape.tokens[index].next = UInt32(truncatingIfNeeded: tape.tokens.count)
    }

    /// Whether a comma follows, and so another child; if not, the container's end does.
    private mutating func another(before end: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        let byte = peek
        if byte == end { return false }
        guard byte == ASCII.comma else { throw failure("expected a comma or \(name(of: end)), found \(found)") }
        let comma = position
        position += 1
        skipSpace()
        guard peek != end else {
            position = comma
            throw failure("a trailing comma is not allowed")
        }
        return true
    }
}

extension Parser {
    /// Refuses an object in which two members have one name, compared after the escapes are resolved, byte by byte.
    ///
    /// Few members are compared pair by pair; more go through a set, whose hashes nobody outside can foresee, so that
    /// no text makes this slow.
    func refuseDuplicates(in object: Int, count: Int) throws(JSONError) {
        let duplicate = count <= 8 ? duplicateByPairs(in: object) : duplicateBySet(in: object, count: count)
        guard let duplicate else { return }
        let name = tape.string(at: duplicate).abbreviated
        throw JSONError(.duplicateMember, "duplicate member \(name)", at: tape.place(of: object))
    }

    private func duplicateByPairs(in object: Int) -> Int? {
        let end = tape.next(after: object)
        var key = object + 1
        while key < end {
            var other = tape.next(after: key + 1)
            while other < end {
                if isSame(key, other) { return other }
                other = tape.next(after: other + 1)
            }
            key = tape.next(after: key + 1)
        }
        return nil
    }

    private func isSame(_ one: Int, _ other: Int) -> Bool {
        if tape.tokens[one].escaped || tape.tokens[other].escaped { return name(at: one) == name(at: other) }
        let (left, right) = (tape.content(at: one), tape.content(at: other))
        guard left.count == right.count else { return false }
        for offset in 0..<left.count where bytes[left.lowerBound + offset] != bytes[right.lowerBound + offset] {
            return false
        }
        return true
    }

    private func duplicateBySet(in object: Int, count: Int) -> Int? {
        var names = Set<ArraySlice<UInt8>>(minimumCapacity: count)
        let end = tape.next(after: object)
        var key = object + 1
        while key < end {
            guard names.insert(name(at: key)).inserted else { return key }
            key = tape.next(after: key + 1)
        }
        return nil
    }

    private func name(at key: Int) -> ArraySlice<UInt8> {
        tape.tokens[key].escaped ? tape.unescaped(at: key)[...] : bytes[tape.content(at: key)]
    }
}
