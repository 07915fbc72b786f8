/// A queue of elements that releases each element when it is removed.
struct Backlog<Element> {
    private var elements: [Element?] = []
    /// The number of elements at the beginning that were removed.
    private var left = 0

    var isEmpty: Bool { left == elements.count }

    var first: Element? { isEmpty ? nil : elements[left] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let first = elements[left]
        elements[left] = nil
        left += 1
        if left > elements.count / 2 {
            elements.removeFirst(left)
            left = 0
        }
        return first
    }
}
