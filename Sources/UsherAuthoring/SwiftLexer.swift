/// The lexer of Swift source, which separates code, comments and literals, and finds the code in literals.
struct SwiftLexer {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    private(set) var tokens: [SwiftToken] = []
    private(set) var allowedLines: Set<Int> = []

    /// The deepest nesting of interpolations.
    private static let depthLimit = 64

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func read() throws(SwiftSourceError) {
        // The first line of a script names its interpreter.
        if bytes.starts(with: Array("#!".utf8)) { skipLine() }
        try readCode(depth: 0)
    }

    /// Reads code up to the end of the file or of the enclosing interpolation.
    private mutating func readCode(depth: Int) throws(SwiftSourceError) {
        guard depth <= Self.depthLimit else { throw fault("interpolations are nested too deep", line) }
        let begin = line
        var parentheses = 0
        while let byte = peek() {
            if byte == UInt8(ascii: "("), depth > 0 { parentheses += 1 }
            if byte == UInt8(ascii: ")"), depth > 0 {
                guard parentheses > 0 else {
                    index += 1
                    return
                }
                parentheses -= 1
            }
            try readToken(byte, depth)
        }
        if depth > 0 { throw fault("an interpolation has no end", begin) }
    }

    private mutating func readToken(_ byte: UInt8, _ depth: Int) throws(SwiftSourceError) {
        switch byte {
        case UInt8(ascii: "\n"): beginLine()
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
        case UInt8(ascii: "/"): try readSlash()
        case UInt8(ascii: "#"): try readHash(depth)
        case UInt8(ascii: "\""): try readString(hashes: 0, depth)
        case UInt8(ascii: "`"): readEscapedName()
        case UInt8(ascii: "0")...UInt8(ascii: "9"): readNumber()
        case _ where Self.isInName(byte): readName()
        default: addMark()
        }
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        index + distance < bytes.count ? bytes[index + distance] : nil
    }

    private mutating func beginLine() {
        index += 1
        line += 1
        lineStart = index
    }

    private mutating func skipLine() {
        while let byte = peek(), byte != UInt8(ascii: "\n") { index += 1 }
    }

    private func fault(_ description: String, _ line: Int) -> SwiftSourceError {
        SwiftSourceError(line: line, description: description)
    }

    private mutating func add(_ kind: SwiftToken.Kind, _ range: Range<Int>) {
        addToken(kind, range, kind == .literal ? "" : String(decoding: bytes[range], as: UTF8.self))
    }

    private mutating func addToken(_ kind: SwiftToken.Kind, _ range: Range<Int>, _ text: String) {
        tokens.append(SwiftToken(kind: kind, text: text, line: line, column: range.lowerBound - lineStart + 1))
    }

    private mutating func addMark() {
        add(.mark, index..<index + 1)
        index += 1
    }
}

extension SwiftLexer {
    /// Returns whether a byte is a letter, a digit, an underscore, a dollar sign, or not ASCII.
    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    private mutating func readName() {
        let start = index
        while let byte = peek(), Self.isInName(byte) { index += 1 }
        add(.name, start..<index)
    }

    private mutating func readEscapedName() {
        let start = index + 1
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "`"), bytes[end] != UInt8(ascii: "\n") { end += 1 }
        add(.name, start..<end)
        index = end < bytes.count && bytes[end] == UInt8(ascii: "`") ? end + 1 : end
    }

    private mutating func readNumber() {
        let start = index
        while let byte = peek() {
            let isPoint = byte == UInt8(ascii: ".") && peek(1).map { (0x30...0x39).contains($0) } == true
            guard Self.isInName(byte) || isPoint else { break }
            index += 1
        }
        add(.number, start..<index)
    }
}

extension SwiftLexer {
    private mutating func readSlash() throws(SwiftSourceError) {
        switch peek(1) {
        case UInt8(ascii: "/"):
            let start = index
            skipLine()
            noteComment(start..<index)
        case UInt8(ascii: "*"): try readBlockComment()
        default:
            guard let end = endOfPattern() else { return addMark() }
            addToken(.literal, index..<end, "/")
            index = end
        }
    }

    private mutating func readBlockComment() throws(SwiftSourceError) {
        let (begin, start) = (line, index)
        var depth = 0
        while let byte = peek() {
            if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth += 1
                index += 2
            } else if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                index += 2
                guard depth > 0 else { return noteComment(start..<index) }
            } else if byte == UInt8(ascii: "\n") {
                beginLine()
            } else {
                index += 1
            }
        }
        throw fault("a comment has no end", begin)
    }

    /// The text of a comment that allows findings in its line.
    private static let allowance = Array("usher:allow".utf8)

    private mutating func noteComment(_ range: Range<Int>) {
        let comment = bytes[range]
        let count = Self.allowance.count
        let isAllowance = comment.indices.contains { comment[$0...].prefix(count).elementsEqual(Self.allowance) }
        guard isAllowance else { return }
        // A comment alone in its line refers to the next line.
        allowedLines.insert(tokens.last?.line == line ? line : line + 1)
    }

    /// Returns the index after a regular expression that begins here; nil if the slash is an operator.
    ///
    /// As in the compiler, a regular expression begins where an operand may begin, not before a space, and ends in its
    /// line.
    private func endOfPattern() -> Int? {
        guard mayBeginOperand, let next = peek(1), ![0x20, 0x09, 0x0A, UInt8(ascii: ")")].contains(next) else {
            return nil
        }
        var place = index + 1
        var isInClass = false
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") {
            switch bytes[place] {
            case UInt8(ascii: "\\"): place += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/") where !isInClass: return place + 1
            default: break
            }
            place += 1
        }
        return nil
    }

    private var mayBeginOperand: Bool {
        guard let last = tokens.last else { return true }
        switch last.kind {
        case .mark: return ![")", "]", "}", "?", "!", ">", "."].contains(last.text)
        case .name:
            return ["return", "case", "in", "where", "if", "guard", "while", "try", "await"].contains(last.text)
        case .number, .literal: return false
        }
    }
}

extension SwiftLexer {
    private mutating func readHash(_ depth: Int) throws(SwiftSourceError) {
        var hashes = 0
        while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
        switch peek(hashes) {
        case UInt8(ascii: "\""): try readString(hashes: hashes, depth)
        case UInt8(ascii: "/"): try readExtendedPattern(hashes)
        default: addMark()
        }
    }

    private mutating func readExtendedPattern(_ hashes: Int) throws(SwiftSourceError) {
        let begin = line
        addToken(.literal, index..<index + 1, "/")
        index += hashes + 1
        while let byte = peek() {
            if byte == UInt8(ascii: "/"), isHashed(hashes, behind: 1) {
                index += 1 + hashes
                return
            }
            if byte == UInt8(ascii: "\n") { beginLine() } else { index += byte == UInt8(ascii: "\\") ? 2 : 1 }
        }
        throw fault("a regular expression has no end", begin)
    }

    private mutating func readString(hashes: Int, _ depth: Int) throws(SwiftSourceError) {
        let begin = line
        add(.literal, index..<index + 1)
        index += hashes
        let quotes = opensLines ? 3 : 1
        index += quotes
        while let byte = peek() {
            if byte == UInt8(ascii: "\""), isQuoted(quotes), isHashed(hashes, behind: quotes) {
                index += quotes + hashes
                return
            } else if byte == UInt8(ascii: "\\"), isHashed(hashes, behind: 1) {
                try readEscape(hashes, depth)
            } else if byte == UInt8(ascii: "\n") {
                guard quotes == 3 else { break }
                beginLine()
            } else {
                index += 1
            }
        }
        throw fault("a string has no end", begin)
    }

    private mutating func readEscape(_ hashes: Int, _ depth: Int) throws(SwiftSourceError) {
        index += 1 + hashes
        switch peek() {
        case UInt8(ascii: "("):
            index += 1
            try readCode(depth: depth + 1)
            // Separate the text after the interpolation from the interpolation's code.
            add(.literal, index..<index)
        // A backslash at the end of a line continues the text in the next line.
        case UInt8(ascii: "\n"), nil: break
        default: index += 1
        }
    }

    /// Whether there are three quotes with only blanks after them: the text begins in the next line.
    private var opensLines: Bool {
        guard isQuoted(3) else { return false }
        var place = index + 3
        while place < bytes.count, [0x20, 0x09, 0x0D].contains(bytes[place]) { place += 1 }
        return place < bytes.count && bytes[place] == UInt8(ascii: "\n")
    }

    private func isQuoted(_ count: Int) -> Bool { (0..<count).allSatisfy { peek($0) == UInt8(ascii: "\"") } }

    private func isHashed(_ count: Int, behind distance: Int) -> Bool {
        (0..<count).allSatisfy { peek(distance + $0) == UInt8(ascii: "#") }
    }
}
