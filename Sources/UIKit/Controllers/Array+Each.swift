extension Array where Element: AnyObject {
    /// Calls a closure for each object, without counting a reference to the object.
    ///
    /// A `for` loop counts a reference to each object, and the standard library's `forEach` checks the closure's actor.
    func each(_ body: (Element) throws -> Void) rethrows {
        try each(in: indices, body)
    }

    /// Calls a closure for each object at some indices, without counting a reference to the object.
    func each(in range: Range<Int>, _ body: (Element) throws -> Void) rethrows {
        // Keep the array alive: the optimizer could release the array once the last object has been read.
        defer { withExtendedLifetime(self) {} }
        for index in range.clamped(to: indices) {
            // Safe because the array retains the object, and this array cannot change during the call.
            try unsafe Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body)
        }
    }
}
