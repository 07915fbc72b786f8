extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// An ellipsis, whatever the value is.
    public var description: String { secretMask }

    /// An ellipsis, whatever the value is.
    public var debugDescription: String { secretMask }

    /// Shows no part of the value.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What stands for a secret wherever a person could see it.
let secretMask = "…"
