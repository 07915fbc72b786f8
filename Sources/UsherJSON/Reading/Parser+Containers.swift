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
