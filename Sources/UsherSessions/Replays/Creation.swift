import Usher
import UsherJSON

/// The first input of every session: all that its tree is made from.
struct Creation: Sendable {
    let app: any App.Type
    /// The options as JSON, as the client sent them.
    let options: [UInt8]
    /// The steps of a deep link to begin with.
    let link: [JSONValue]
    /// What is done with that link.
    private(set) var linkHandling: LinkHandling
    let seed: UInt64
    let time: Timestamp
    /// Whether its secrets were erased: null stands in their places.
    let isErased: Bool

    init(
        app: any App.Type, options: [UInt8], link: [JSONValue], handling: LinkHandling = .follow, seed: UInt64,
        time: Timestamp, isErased: Bool = false
    ) {
        self.app = app
        self.options = options
        self.link = link
        linkHandling = handling
        self.seed = seed
        self.time = time
        self.isErased = isErased
    }

    /// Builds the tree at revision 1.
    ///
    /// - Throws: `JSONError` for options that do not decode, `Rejection` or an author's error for a root that does
    ///   not start.
    func tree(limits: Limits) throws -> sending Tree {
        try Tree(
            opening: app, options: options, isErased: isErased, seed: seed, time: time, link: link,
            handling: linkHandling, limits: limits)
    }

    /// Builds the tree for the first time: a link that would get only half-way is left waiting instead.
    ///
    /// - Throws: As `tree(limits:)`.
    mutating func firstTree(limits: Limits) throws -> sending Tree {
        do {
            return try tree(limits: limits)
        } catch let rejection as Rejection {
            guard let retry = rejection.retry else { throw rejection }
            linkHandling = retry
            return try tree(limits: limits)
        }
    }
}
