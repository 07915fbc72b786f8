/// An array that stores its first element inline, because most stacks and lists of children have at most one element.
struct SmallArray<Element> {
    // `tail` is first, so that a property after the array can use the padding behind `head`.
    private var tail: [Element]
    private var head: Element?

    init() {
        head = nil
        tail = []
    }

    init(_ element: Element) {
        head = element
        tail = []
    }

    var last: Element? { tail.isEmpty ? head : tail[tail.count - 1] }

    var isEmpty: Bool { head == nil }

    /// Calls a closure for each element in order, without copying the array, as an iterator would.
    func visit<Failure>(_ body: (Element) throws(Failure) -> Void) throws(Failure) {
        if let head { try body(head) }
        guard !tail.isEmpty else { return }
        for element in tail { try body(element) }
    }

    /// Returns the index of the first element that satisfies a predicate, without copying the array.
    func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
        guard let head else { return nil }
        if try predicate(head) { return 0 }
        guard !tail.isEmpty else { return nil }
        return try tail.firstIndex(where: predicate).map { $0 + 1 }
    }

    /// Returns the index of the last element that satisfies a predicate, without copying the array.
    func lastIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
        if !tail.isEmpty, let index = try tail.lastIndex(where: predicate) { return index + 1 }
        guard let head, try predicate(head) else { return nil }
        return 0
    }

    mutating func popLast() -> Element? {
        if let last = tail.popLast() { return last }
        defer { head = nil }
        return head
    }

    mutating func removeAll(where isGone: (Element) throws -> Bool) rethrows {
        if !tail.isEmpty { try tail.removeAll(where: isGone) }
        guard let first = head, try isGone(first) else { return }
        head = tail.isEmpty ? nil : tail.removeFirst()
    }
}

extension SmallArray: Sequence, Collection, BidirectionalCollection, RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { head == nil ? 0 : tail.count + 1 }

    subscript(index: Int) -> Element {
        get {
            if index == 0, let head { return head }
            return tail[index - 1]
        }
        set {
            if index == 0, head != nil { head = newValue } else { tail[index - 1] = newValue }
        }
    }
}

extension SmallArray: RangeReplaceableCollection {
    mutating func append(_ element: Element) {
        if head == nil { head = element } else { tail.append(element) }
    }

    mutating func removeAll(keepingCapacity: Bool = false) {
        head = nil
        tail.removeAll(keepingCapacity: keepingCapacity)
    }

    mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
        var all = Array(self)
        all.replaceSubrange(range, with: elements)
        head = all.first
        tail = Array(all.dropFirst())
    }
}

extension SmallArray: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension SmallArray: Equatable where Element: Equatable {}
extension SmallArray: Sendable where Element: Sendable {}
