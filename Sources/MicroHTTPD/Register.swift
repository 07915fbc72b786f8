internal import Synchronization

/// The open objects of one kind, by identity; once it is closed, none is entered any more.
final class Register<Element: Sendable>: Sendable {
    private struct Contents {
        var isClosed = false
        var elements: [UInt: Element] = [:]
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
            contents.elements[Self.identity(of: owner)] = element
            return true
        }
    }

    func remove(_ owner: some AnyObject) {
        // The last reference may go here, outside the lock.
        _ = contents.withLock { $0.elements.removeValue(forKey: Self.identity(of: owner)) }
    }

    /// The number by which an owner's element can be found while it is entered.
    static func identity(of owner: some AnyObject) -> UInt { UInt(bitPattern: ObjectIdentifier(owner)) }

    /// Calls a body with the element of an owner, unless it has left; under the lock, so that it does not meanwhile.
    func with(_ identity: UInt, _ body: (Element) -> Void) {
        contents.withLock { contents in
            if let element = contents.elements[identity] { body(element) }
        }
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
