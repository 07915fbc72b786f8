internal import UsherJournal

/// What is bound to a statement.
enum Value {
    case key(JournalKey)
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case null

    /// A revision or another count.
    static func integer(_ integer: Int) -> Value { .integer(Int64(integer)) }
}
