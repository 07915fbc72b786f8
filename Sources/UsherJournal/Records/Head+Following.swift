extension SessionHeader {
    /// The head of the same session after an entry that changes nothing else: no answer goes with it, and the session has
    /// to wake up no earlier or later for it.
    ///
    /// - Parameters:
    ///   - time: When the entry came: milliseconds since 1970.
    ///   - size: How many bytes it takes.
    package func followed(byEntryAt time: Int64, size: Int) -> SessionHeader {
        var head = self
        head.revision &+= 1
        head.time = time
        head.bytes &+= size
        return head
    }
}
