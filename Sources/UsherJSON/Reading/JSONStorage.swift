/// The tape of a document, shared by all its values.
final class JSONStorage: Sendable {
    let tape: Tape

    init(_ tape: Tape) { self.tape = tape }
}
