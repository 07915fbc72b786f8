internal import Synchronization

/// The open objects of one kind, by identity; once it is closed, none is entered any more.
final class Register<Element: Sendable>: Sendable {
    private struct Contents {
        var isClosed = false
        var elements: [ObjectIdentifier: Element] = [:]
    }

    private let contents = Mutex(Contents())

    var isEmpty: Bool { count == 0 }

    var count: Int { contents.withLock { $0.elements.count } }

    /// All elements as they are now.
    var elements: [Element] { contents.withLock { Array($0.elements.values) } }

    /// Enters an element under its owner's identity.
    ///
    /// - Returns: false if the register is closed.
    func insert(_ element: Element, of owner: some AnyObject) -> Bool {
        contents.withLock { contents in
            guard !contents.isClosed else { return false }
            contents.elements[ObjectIdentifier(owner)] = element
            return true
        }
    }

    func remove(_ owner: some AnyObject) {
        // The last reference may go here, outside the lock.
        _ = contents.withLock { $0.elements.removeValue(forKey: ObjectIdentifier(owner)) }
    }

    /// Calls a body with each element under the lock: none is removed meanwhile.
    func forEach(_ body: (Element) -> Void) {
        contents.withLock { for element in $0.elements.values { body(element) } }
    }

    /// Closes the register for good.
    ///
    /// - Returns: the elements, which are in it no more.
    func close() -> [Element] {
        contents.withLock { contents in
            contents.isClosed = true
            defer { contents.elements = [:] }
            return Array(contents.elements.values)
        }
    }
}
