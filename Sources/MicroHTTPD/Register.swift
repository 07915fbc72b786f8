internal import Synchronization

/// The open objects of one kind, by their identity; a closed register rejects further objects.
final class Register<Element: Sendable>: Sendable {
    private struct Contents {
        var isClosed = false
        var elements: [UInt: Element] = [:]
    }

    private let contents = Mutex(Contents())

    var isEmpty: Bool { count == 0 }

    var count: Int { contents.withLock { $0.elements.count } }

    var elements: [Element] { contents.withLock { Array($0.elements.values) } }

    /// Adds an element under the identity of its owner; returns `false` if the register is closed.
    func insert(_ element: Element, of owner: some AnyObject) -> Bool {
        contents.withLock { contents in
            guard !contents.isClosed else { return false }
            contents.elements[Self.identity(of: owner)] = element
            return true
        }
    }

    func remove(_ owner: some AnyObject) {
        // The last reference to the element may be released here, outside of the lock.
        _ = contents.withLock { $0.elements.removeValue(forKey: Self.identity(of: owner)) }
    }

    static func identity(of owner: some AnyObject) -> UInt { UInt(bitPattern: ObjectIdentifier(owner)) }

    /// Calls a closure with an owner's element, under the lock, so that the element stays registered meanwhile.
    func with(_ identity: UInt, _ body: (Element) -> Void) {
        contents.withLock { contents in
            if let element = contents.elements[identity] { body(element) }
        }
    }

    /// Calls a closure with each element, under the lock, so that no element is removed meanwhile.
    func forEach(_ body: (Element) -> Void) {
        contents.withLock { for element in $0.elements.values { body(element) } }
    }

    /// Removes and returns all elements, and rejects new elements.
    func close() -> [Element] {
        contents.withLock { contents in
            contents.isClosed = true
            defer { contents.elements = [:] }
            return Array(contents.elements.values)
        }
    }
}
