/// A recursive-descent parser that creates a tape in one pass (RFC 8259, with unique member names as in RFC 7493).
struct Parser: ~Copyable {
    private var lexer: Lexer
    private var tape: TapeDraft
    private let maximumDepth: Int

    private init(_ bytes: [UInt8], depth: Int) {
        lexer = Lexer(bytes)
        tape = TapeDraft(of: bytes)
        maximumDepth = depth
    }

    /// Parses a whole text, which must be exactly one value.
    static func tape(of bytes: [UInt8], depth: Int) throws(JSONError) -> Tape {
        var parser = Parser(bytes, depth: depth)
        try parser.text(of: bytes)
        return parser.finish()
    }

    private consuming func finish() -> Tape { Tape(tape) }

    private mutating func text(of bytes: [UInt8]) throws(JSONError) {
        guard bytes.count < Int(UInt32.max) else { throw lexer.failure("a text longer than 4 GiB") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw lexer.failure("a byte order mark is not allowed") }
        lexer.skipSpace()
        try value(depth: 0)
        lexer.skipSpace()
        guard lexer.isAtEnd else { throw lexer.failure("expected the end of the text, found \(lexer.found)") }
    }

    private mutating func value(depth: Int) throws(JSONError) {
        switch lexer.peek {
        case ASCII.quote: try string()
        case ASCII.openBrace: try object(depth: depth + 1)
        case ASCII.openBracket: try array(depth: depth + 1)
        case ASCII.minus, ASCII.zero...ASCII.nine: try number()
        case UInt8(ascii: "t"): try literal("true", .true)
        case UInt8(ascii: "f"): try literal("false", .false)
        case UInt8(ascii: "n"): try literal("null", .null)
        default: throw lexer.failure("expected a value, found \(lexer.found)")
        }
    }

    // MARK: Scalars

    private mutating func string() throws(JSONError) {
        let start = lexer.position
        let escaped = try lexer.string()
        tape.append(.string, from: start, to: lexer.position, escaped: escaped)
    }

    private mutating func number() throws(JSONError) {
        let start = lexer.position
        let kind = try lexer.number()
        tape.append(kind, from: start, to: lexer.position)
    }

    private mutating func literal(_ word: String, _ kind: Token.Kind) throws(JSONError) {
        let start = lexer.position
        try lexer.literal(word)
        tape.append(kind, from: start, to: lexer.position)
    }

    // MARK: Containers

    private mutating func object(depth: Int) throws(JSONError) {
        let index = try open(.object, depth: depth)
        var count = 0
        if lexer.peek != ASCII.closeBrace {
            repeat {
                try member(depth: depth)
                count += 1
            } while try another(before: ASCII.closeBrace)
        }
        close(index)
        if count > 1 { try refuseDuplicates(in: index, count: count) }
    }

    @inline(__always)
    private mutating func member(depth: Int) throws(JSONError) {
        guard lexer.peek == ASCII.quote else {
            throw lexer.failure("expected a member's name in quotation marks, found \(lexer.found)")
        }
        try string()
        lexer.skipSpace()
        guard lexer.peek == ASCII.colon else { throw lexer.failure("expected a colon, found \(lexer.found)") }
        lexer.advance()
        lexer.skipSpace()
        try value(depth: depth)
    }

    private mutating func array(depth: Int) throws(JSONError) {
        let index = try open(.array, depth: depth)
        if lexer.peek != ASCII.closeBracket {
            repeat { try value(depth: depth) } while try another(before: ASCII.closeBracket)
        }
        close(index)
    }

    private mutating func open(_ kind: Token.Kind, depth: Int) throws(JSONError) -> Int {
        let index = tape.open(kind, from: lexer.position)
        guard depth <= maximumDepth else {
            throw JSONError("more than \(maximumDepth) levels of nesting", at: tape.place(of: index))
        }
        lexer.advance()
        lexer.skipSpace()
        return index
    }

    private mutating func close(_ index: Int) {
        lexer.advance()
        tape.close(index, at: lexer.position)
    }

    /// Skips the comma before another child; returns `false` at the end of the container.
    private mutating func another(before end: UInt8) throws(JSONError) -> Bool {
        lexer.skipSpace()
        let byte = lexer.peek
        if byte == end { return false }
        guard byte == ASCII.comma else {
            throw lexer.failure("expected a comma or \(Lexer.name(of: end)), found \(lexer.found)")
        }
        let comma = lexer.position
        lexer.advance()
        lexer.skipSpace()
        guard lexer.peek != end else { throw lexer.failure("a trailing comma is not allowed", at: comma) }
        return true
    }

    // MARK: Duplicate members

    /// Throws an error if two members have the same name, compared by bytes after the escapes are decoded.
    ///
    /// A few members are compared pairwise. More are put into a set, whose hashes are randomly seeded, so that no
    /// crafted text makes the comparison slow.
    private func refuseDuplicates(in object: Int, count: Int) throws(JSONError) {
        let duplicate = count <= 8 ? duplicateByPairs(in: object) : duplicateBySet(in: object, count: count)
        guard let duplicate else { return }
        let name = tape.string(at: duplicate).abbreviated
        throw JSONError("duplicate member \(name)", at: tape.place(of: object))
    }

    private func duplicateByPairs(in object: Int) -> Int? {
        let end = tape.next(after: object)
        var key = object + 1
        while key < end {
            var other = tape.next(after: key + 1)
            while other < end {
                if tape.isSameString(key, other) { return other }
                other = tape.next(after: other + 1)
            }
            key = tape.next(after: key + 1)
        }
        return nil
    }

    private func duplicateBySet(in object: Int, count: Int) -> Int? {
        var names = Set<ArraySlice<UInt8>>(minimumCapacity: count)
        let end = tape.next(after: object)
        var key = object + 1
        while key < end {
            guard names.insert(tape.utf8(at: key)).inserted else { return key }
            key = tape.next(after: key + 1)
        }
        return nil
    }
}
