/// A value or the name of a member, with its range in the text.
struct Token: Sendable {
    /// The kinds of the grammar (RFC 8259, section 3), with integers separate from other numbers.
    enum Kind: UInt8, Sendable { case object, array, string, integer, number, `true`, `false`, null }

    let kind: Kind
    /// A Boolean value that indicates whether this is a string with escapes.
    let escaped: Bool
    let start: UInt32
    /// The index after the last byte.
    fileprivate(set) var end: UInt32
    /// The index of the token after this value and its children; 0 until the value is parsed completely.
    fileprivate(set) var next: UInt32

    @inline(__always)
    fileprivate mutating func close(at end: UInt32, next: UInt32) {
        self.end = end
        self.next = next
    }
}

/// A sequence of tokens over a JSON text, in the order of the text.
///
/// The token of a container precedes the tokens of its children, and the token of a member's name precedes the token of
/// its value.
protocol TokenRow: ~Copyable {
    var bytes: [UInt8] { get }
    var tokenCount: Int { get }

    func token(at index: Int) -> Token
}

/// A JSON text with its tokens, which all values of a document share.
///
/// The first tokens are stored inline, which is enough for most requests and saves an allocation. These tokens are a
/// property of the object itself, because access through a nested structure would copy all of them.
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

/// The tape of a text that is being parsed, which becomes a `Tape` without copying.
struct TapeDraft: TokenRow, ~Copyable {
    let bytes: [UInt8]
    private(set) var tokenCount = 0
    fileprivate var first = InlineArray<8, Token>(
        repeating: Token(kind: .null, escaped: false, start: 0, end: 0, next: 0))
    fileprivate var others: [Token] = []

    init(of bytes: [UInt8]) { self.bytes = bytes }

    @inline(__always)
    func token(at index: Int) -> Token { index < first.count ? first[index] : others[index - first.count] }

    @inline(__always)
    mutating func append(_ kind: Token.Kind, from start: Int, to end: Int, escaped: Bool = false) {
        append(
            Token(
                kind: kind, escaped: escaped, start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: end), next: UInt32(truncatingIfNeeded: tokenCount + 1)))
    }

    /// Appends the token of a container and returns its index.
    @inline(__always)
    mutating func open(_ kind: Token.Kind, from start: Int) -> Int {
        let start = UInt32(truncatingIfNeeded: start)
        append(Token(kind: kind, escaped: false, start: start, end: start, next: 0))
        return tokenCount - 1
    }

    /// Ends a container after all its children have been appended.
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
        // About the number of tokens in a text with short values.
        if others.isEmpty { others.reserveCapacity(min(bytes.count / 5 + 4, 4096)) }
        others.append(token)
    }
}

// MARK: Structure

extension TokenRow where Self: ~Copyable {
    /// Returns the index of the token after the value at `index` and its children.
    @inline(__always)
    func next(after index: Int) -> Int { Int(token(at: index).next) }

    /// Returns the text of a value, unchanged.
    func text(at index: Int) -> ArraySlice<UInt8> {
        bytes[Int(token(at: index).start)..<Int(token(at: index).end)]
    }

    /// Returns the token of a member's name in the object at `object`, or nil if there is no such member.
    ///
    /// The search starts at `latest`, the name that was found last; 0 means the first name.
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

    /// Returns the indices of an array's elements, or of the names of an object's members.
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
    /// Returns the coding path from the value at `root` to the token at `target`.
    ///
    /// The function also works during parsing: a container without an end contains all tokens after it.
    func path(to target: Int, from root: Int = 0) -> [PathKey] {
        var path: [PathKey] = []
        var container = root
        while container < target, container < tokenCount, let child = child(of: container, holding: target) {
            path.append(child.key)
            container = child.value
        }
        return path
    }

    func place(of index: Int) -> String { path(to: index).pointer }

    /// Returns the value at a coding path, or the last existing value on the path.
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
