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

    @inline(__always)
    fileprivate mutating func close(at end: UInt32, next: UInt32) {
        self.end = end
        self.next = next
    }
}

/// A row of tokens over a JSON text, in its order.
///
/// A container's token is followed by its children's, a member's name by its value.
protocol TokenRow: ~Copyable {
    var bytes: [UInt8] { get }
    /// The number of tokens.
    var tokenCount: Int { get }

    func token(at index: Int) -> Token
}

/// A tape: a JSON text with its tokens, shared by all values of a document.
///
/// The first few tokens stand in place: most of what clients send has no more, and needs no memory of its own for them. They
/// are the object's own property, for one inside of a structure is copied, with all others, to be looked at.
final class Tape: TokenRow, Sendable {
    let bytes: [UInt8]
    let tokenCount: Int
    private let first: InlineArray<8, Token>
    private let others: [Token]

    init(_ draft: consuming TapeDraft) {
        bytes = draft.bytes
        tokenCount = draft.tokenCount
        first = draft.first
        others = draft.others
    }

    @inline(__always)
    func token(at index: Int) -> Token { index < first.count ? first[index] : others[index - first.count] }
}

/// The tape of a text that is still being parsed; it becomes a `Tape` as a whole, so that nothing of it is copied.
struct TapeDraft: TokenRow, ~Copyable {
    let bytes: [UInt8]
    private(set) var tokenCount = 0
    fileprivate var first = InlineArray<8, Token>(
        repeating: Token(kind: .null, escaped: false, start: 0, end: 0, next: 0))
    fileprivate var others: [Token] = []

    /// A tape without tokens yet.
    init(of bytes: [UInt8]) { self.bytes = bytes }

    @inline(__always)
    func token(at index: Int) -> Token { index < first.count ? first[index] : others[index - first.count] }

    /// Appends the token of a scalar or a name.
    @inline(__always)
    mutating func append(_ kind: Token.Kind, from start: Int, to end: Int, escaped: Bool = false) {
        append(
            Token(
                kind: kind, escaped: escaped, start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: end), next: UInt32(truncatingIfNeeded: tokenCount + 1)))
    }

    /// Appends the token of a container that has no end yet; gives its index.
    @inline(__always)
    mutating func open(_ kind: Token.Kind, from start: Int) -> Int {
        let start = UInt32(truncatingIfNeeded: start)
        append(Token(kind: kind, escaped: false, start: start, end: start, next: 0))
        return tokenCount - 1
    }

    /// Ends a container, all of whose children have been appended.
    @inline(__always)
    mutating func close(_ container: Int, at end: Int) {
        let end = UInt32(truncatingIfNeeded: end)
        let next = UInt32(truncatingIfNeeded: tokenCount)
        if container < first.count {
            first[container].close(at: end, next: next)
        } else {
            others[container - first.count].close(at: end, next: next)
        }
    }

    @inline(__always)
    private mutating func append(_ token: Token) {
        if tokenCount < first.count { first[tokenCount] = token } else { appendBeyond(token) }
        tokenCount += 1
    }

    @inline(never)
    private mutating func appendBeyond(_ token: Token) {
        // About as many as a text with short values has.
        if others.isEmpty { others.reserveCapacity(min(bytes.count / 5 + 4, 4096)) }
        others.append(token)
    }
}

// MARK: Structure

extension TokenRow where Self: ~Copyable {
    /// The index of the token after the value at `index` and all that it holds.
    @inline(__always)
    func next(after index: Int) -> Int { Int(token(at: index).next) }

    /// The text of a value as it came.
    func text(at index: Int) -> ArraySlice<UInt8> {
        bytes[Int(token(at: index).start)..<Int(token(at: index).end)]
    }

    /// The token of the member's name in the object at `object`, or nil.
    ///
    /// - Parameter latest: The token of the name that was found last, where the search begins; 0 for the first.
    func memberName(_ name: Span<UInt8>, of object: Int, from latest: Int = 0) -> Int? {
        let first = object + 1
        let start = latest == 0 ? first : latest
        return memberName(name, from: start, to: next(after: object)) ?? memberName(name, from: first, to: start)
    }

    @inline(__always)
    private func memberName(_ name: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        var key = start
        while key < end {
            if string(at: key, is: name) { return key }
            key = next(after: key + 1)
        }
        return nil
    }

    /// The names of an object's members, or an array's elements, as indices.
    func children(of container: Int) -> [Int] {
        let step = token(at: container).kind == .object ? 1 : 0
        let end = next(after: container)
        var children: [Int] = []
        var child = container + 1
        while child < end {
            children.append(child)
            child = next(after: child + step)
        }
        return children
    }
}

// MARK: Coding paths

extension TokenRow where Self: ~Copyable {
    /// The coding path from the value at `root` to the token at `target`.
    ///
    /// Works while the text is still being parsed, too: a container without an end yet holds all that follows.
    func path(to target: Int, from root: Int = 0) -> [PathKey] {
        var path: [PathKey] = []
        var container = root
        while container < target, container < tokenCount, let child = child(of: container, holding: target) {
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
        let isObject = token(at: container).kind == .object
        var child = container + 1
        var count = 0
        while child < tokenCount {
            let value = isObject ? child + 1 : child
            let next = value < tokenCount ? Int(token(at: value).next) : 0
            if next == 0 || target < next {
                return (isObject ? PathKey(stringValue: string(at: child)) : PathKey(intValue: count), value)
            }
            child = next
            count += 1
        }
        return nil
    }

    private func child(of container: Int, at key: any CodingKey) -> Int? {
        switch token(at: container).kind {
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
