/// Elements in the order in which they came, each of which is released when it has left.
struct Backlog<Element> {
    private var elements: [Element?] = []
    /// The number of elements at the beginning that have left.
    private var left = 0

    var isEmpty: Bool { left == elements.count }

    /// The oldest element.
    var first: Element? { isEmpty ? nil : elements[left] }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Removes and returns the oldest element.
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
