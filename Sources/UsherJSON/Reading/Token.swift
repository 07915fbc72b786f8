/// One entry of the tape: a value, or the name of a member, and where it stands in the text.
struct Token: Sendable {
    enum Kind: UInt8, Sendable { case object, array, string, integer, number, yes, no, null }

    let kind: Kind
    /// Whether a string holds an escape, so that its bytes are not its text.
    let escaped: Bool
    /// The first byte of the text.
    let start: UInt32
    /// One past the last byte of the text.
    var end: UInt32
    /// The index of the first token after this value and all that it holds; 0 while it is still being read.
    var next: UInt32
}
