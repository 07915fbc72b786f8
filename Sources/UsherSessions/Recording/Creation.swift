import Usher
import UsherJSON

/// The first input of every session: all that its tree is made from.
struct Creation: Sendable {
    let app: any App.Type
    /// The options as JSON, as the client sent them.
    let options: [UInt8]
    /// The steps of a deep link to begin with.
    let link: [JSONValue]
    let seed: UInt64
    let time: Timestamp

    /// Builds the tree at revision 1.
    ///
    /// - Throws: `JSONError` for options that do not decode, `Rejection` or an author's error for a root that does
    ///   not start.
    func tree(limits: Limits) throws -> sending Tree {
        try Tree(root: app.root(decoding: options), seed: seed, time: time, link: link, limits: limits)
    }
}
