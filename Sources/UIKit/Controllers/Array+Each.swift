extension Array where Element: AnyObject {
    /// Calls a closure for each object, without the reference counting of `for` and the actor check of `forEach`.
    func each(_ body: (Element) throws -> Void) rethrows {
        try each(in: indices, body)
    }

    func each(in range: Range<Int>, _ body: (Element) throws -> Void) rethrows {
        // Keep the array alive: the optimizer could release the array once the last object has been read.
        defer { withExtendedLifetime(self) {} }
        for index in range.clamped(to: indices) {
            // Safe because the array retains the object, and this array cannot change during the call.
            try unsafe Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body)
        }
    }
}
