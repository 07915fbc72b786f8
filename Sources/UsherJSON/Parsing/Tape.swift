/// A token: a value, or the name of a member, and its range in the text.
struct Token: Sendable {
    /// The grammar's kinds (RFC 8259, section 3), integers told from other numbers.
    enum Kind: UInt8, Sendable { case object, array, string, integer, number, `true`, `false`, null }

    let kind: Kind
    /// True for a string that holds an escape, so that its bytes are not its text.
    let escaped: Bool
    /// The first byte of the text.
    let start: UInt32
    /// One past the last byte of the text.
    fileprivate(set) var end: UInt32
    /// The index of the first token after this value and all that it holds; 0 while it is still being parsed.
    fileprivate(set) var next: UInt32
}

/// The tokens of a text, in its order.
///
/// The first few stand in place: most of what clients send has no more, and needs no memory of its own for them.
struct TokenList: Sendable {
    private var first = InlineArray<8, Token>(repeating: Token(kind: .null, escaped: false, start: 0, end: 0, next: 0))
    private var others: [Token] = []
    private(set) var count = 0

    /// Makes room for tokens that are still to come.
    fileprivate mutating func reserveCapacity(_ capacity: Int) {
        if capacity > first.count { others.reserveCapacity(capacity - first.count) }
    }

    @inline(__always)
    fileprivate mutating func append(_ token: Token) {
        if count < first.count { first[count] = token } else { others.append(token) }
        count += 1
    }

    fileprivate(set) subscript(index: Int) -> Token {
        @inline(__always) get { index < first.count ? first[index] : others[index - first.count] }
        @inline(__always) set {
            if index < first.count { first[index] = newValue } else { others[index - first.count] = newValue }
        }
    }
}

/// A tape: a JSON text with its tokens in one row.
///
/// A container's token is followed by its children's, a member's name by its value.
struct Tape: Sendable {
    let bytes: [UInt8]
    private(set) var tokens = TokenList()

    /// A tape without tokens yet.
    init(of bytes: [UInt8]) {
        self.bytes = bytes
        // About as many as a text with short values has; a short text's stand in place.
        if bytes.count > 256 { tokens.reserveCapacity(min(bytes.count / 5 + 4, 4096)) }
    }
}

// MARK: Parsing

extension Tape {
    /// Appends the token of a scalar or a name.
    @inline(__always)
    mutating func append(_ kind: Token.Kind, from start: Int, to end: Int, escaped: Bool = false) {
        tokens.append(
            Token(
                kind: kind, escaped: escaped, start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: end), next: UInt32(truncatingIfNeeded: tokens.count + 1)))
    }

    /// Appends the token of a container that has no end yet; gives its index.
    @inline(__always)
    mutating func open(_ kind: Token.Kind, from start: Int) -> Int {
        let start = UInt32(truncatingIfNeeded: start)
        tokens.append(Token(kind: kind, escaped: false, start: start, end: start, next: 0))
        return tokens.count - 1
    }

    /// Ends a container, all of whose children have been appended.
    @inline(__always)
    mutating func close(_ container: Int, at end: Int) {
        tokens[container].end = UInt32(truncatingIfNeeded: end)
        tokens[container].next = UInt32(truncatingIfNeeded: tokens.count)
    }
}

// MARK: Structure

extension Tape {
    /// The index of the token after the value at `index` and all that it holds.
    @inline(__always)
    func next(after index: Int) -> Int { Int(tokens[index].next) }

    /// The text of a value as it came.
    func text(at index: Int) -> ArraySlice<UInt8> {
        bytes[Int(tokens[index].start)..<Int(tokens[index].end)]
    }

    /// The token of the member's name in the object at `object`, or nil.
    func memberName(_ name: Span<UInt8>, of object: Int) -> Int? {
        let end = next(after: object)
        var key = object + 1
        while key < end {
            if string(at: key, is: name) { return key }
            key = next(after: key + 1)
        }
        return nil
    }

    /// The names of an object's members, or an array's elements, as indices.
    func children(of container: Int) -> [Int] {
        let step = tokens[container].kind == .object ? 1 : 0
        let end = next(after: container)
        return Array(sequence(first: container + 1) { next(after: $0 + step) }.prefix { $0 < end })
    }

    /// The number of members or elements of a container.
    func count(of container: Int) -> Int {
        let step = tokens[container].kind == .object ? 1 : 0
        let end = next(after: container)
        var child = container + 1
        var count = 0
        while child < end {
            count += 1
            child = next(after: child + step)
        }
        return count
    }
}

// MARK: Coding paths

extension Tape {
    /// The coding path from the value at `root` to the token at `target`.
    ///
    /// Works while the text is still being parsed, too: a container without an end yet holds all that follows.
    func path(to target: Int, from root: Int = 0) -> [PathKey] {
        var path: [PathKey] = []
        var container = root
        while container < target, container < tokens.count, let child = child(of: container, holding: target) {
            path.append(child.key)
            container = child.value
        }
        return path
    }

    /// The place of the value at `index` as a JSON Pointer.
    func place(of index: Int) -> String { path(to: index).pointer }

    /// The value that a coding path leads to, or the last one on the path that there is.
    func value(at path: [any CodingKey], from root: Int) -> Int {
        var index = root
        for key in path {
            guard let child = child(of: index, at: key) else { break }
            index = child
        }
        return index
    }

    private func child(of container: Int, holding target: Int) -> (key: PathKey, value: Int)? {
        let isObject = tokens[container].kind == .object
        var child = container + 1
        var count = 0
        while child < tokens.count {
            let value = isObject ? child + 1 : child
            let next = value < tokens.count ? Int(tokens[value].next) : 0
            if next == 0 || target < next {
                return (isObject ? PathKey(stringValue: string(at: child)) : PathKey(intValue: count), value)
            }
            child = next
            count += 1
        }
        return nil
    }

    private func child(of container: Int, at key: any CodingKey) -> Int? {
        switch tokens[container].kind {
        case .object:
            return memberName(key.stringValue.utf8.span, of: container).map { $0 + 1 }
        case .array:
            guard let wanted = key.intValue, wanted >= 0 else { return nil }
            var element = container + 1
            for _ in 0..<wanted where element < next(after: container) { element = next(after: element) }
            return element < next(after: container) ? element : nil
        default:
            return nil
        }
    }
}
