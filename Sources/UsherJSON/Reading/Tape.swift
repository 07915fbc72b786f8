/// One entry of the tape: a value, or the name of a member, and where it stands in the text.
struct Token: Sendable {
    enum Kind: UInt8, Sendable { case object, array, string, integer, number, yes, no, null }

    let kind: Kind
    /// Whether a string holds an escape, so that its bytes are not its text.
    let escaped: Bool
    /// The first byte of the text.
    let start: UInt32
    /// One past the last byte of the text.
    var end: UInt32
    /// The index of the first token after this value and all that it holds; 0 while it is still being read.
    var next: UInt32
}

/// The tokens of a text, in reading order.
///
/// The first few stand in place: most of what clients send has no more, and needs no memory of its own for them.
struct Tokens: Sendable {
    private var first = InlineArray<8, Token>(repeating: Token(kind: .null, escaped: false, start: 0, end: 0, next: 0))
    private var others: [Token] = []
    private(set) var count = 0

    /// Makes room for tokens that are still to come.
    mutating func reserveCapacity(_ capacity: Int) {
        if capacity > first.count { others.reserveCapacity(capacity - first.count) }
    }

    @inline(__always)
    mutating func append(_ token: Token) {
        if count < first.count { first[count] = token } else { others.append(token) }
        count += 1
    }

    subscript(index: Int) -> Token {
        @inline(__always) get { index < first.count ? first[index] : others[index - first.count] }
        @inline(__always) set {
            if index < first.count { first[index] = newValue } else { others[index - first.count] = newValue }
        }
    }
}

/// A JSON text with its tokens in reading order: a container's token is followed by its children's, a member's name
/// by its value.
struct Tape: Sendable {
    let bytes: [UInt8]
    var tokens = Tokens()

    /// The index of the token after the value at `index` and all that it holds.
    @inline(__always)
    func next(after index: Int) -> Int { Int(tokens[index].next) }

    /// The content of a string, still escaped, without its quotes.
    @inline(__always)
    func content(at index: Int) -> Range<Int> {
        let token = tokens[index]
        return Int(token.start) + 1..<Int(token.end) - 1
    }

    /// The text of a value as it came.
    func text(at index: Int) -> ArraySlice<UInt8> {
        bytes[Int(tokens[index].start)..<Int(tokens[index].end)]
    }

    /// The string at `index`, which is known to be one.
    func string(at index: Int) -> String {
        if tokens[index].escaped { return String(decoding: unescaped(at: index), as: UTF8.self) }
        return String(decoding: bytes[content(at: index)], as: UTF8.self)
    }

    /// Whether the string at `index` is, byte for byte, `name`.
    @inline(__always)
    func string(at index: Int, is name: Span<UInt8>) -> Bool {
        let token = tokens[index]
        let start = Int(token.start) + 1
        if token.escaped {
            let text = unescaped(at: index)
            return text.count == name.count && name.indices.allSatisfy { text[$0] == name[$0] }
        }
        guard Int(token.end) - 1 - start == name.count else { return false }
        for offset in name.indices where bytes[start + offset] != name[offset] { return false }
        return true
    }

    /// The token of the member's name in the object at `object`, or nil.
    func name(_ name: Span<UInt8>, of object: Int) -> Int? {
        let end = next(after: object)
        var key = object + 1
        while key < end {
            if string(at: key, is: name) { return key }
            key = next(after: key + 1)
        }
        return nil
    }

    /// How many members or elements a container has.
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

extension Tape {
    /// The way from the value at `root` to the token at `target`: the names and indices that lead there.
    ///
    /// Works while the text is still being read, too: a container without an end yet holds all that follows.
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

    /// The value that a path leads to, or the last one on the way that there is.
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
            return name(key.stringValue.utf8.span, of: container).map { $0 + 1 }
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
