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
