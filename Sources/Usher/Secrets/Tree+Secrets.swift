public import UsherJSON

extension Tree {
    /// Where the secrets stand of the input that was handled last, if it counted; or those of the creation.
    ///
    /// Ask at once: what follows replaces it.
    public var inputSecrets: SecretPlaces { secrets.places }

    /// The revisions of the inputs whose secrets replay can do without from now on: nobody holds one any more, and no
    /// handler has read one.
    ///
    /// Each is told once. A tree that was built anew tells them again, but for those that were erased.
    public func takeErasableRevisions() -> [Int] {
        secrets.takeErasableRevisions(waiting: pendingLink?.secrets)
    }

    /// Opens an app: revision 1.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - options: An object's text; each member replaces the one of the app's own options.
    ///   - isErased: Whether the secrets in options and link were erased: null stands in their places.
    ///   - seed: Where the session's random numbers come from.
    ///   - time: When the session was created.
    ///   - link: A deep link to begin with; the flows from the root down.
    ///   - handling: What is done with that link; it is followed unless that has failed.
    ///   - limits: How large the tree may grow.
    /// - Throws: `JSONError` for options that do not decode; `Rejection`, or what the app's `root(_:)` throws, when it
    ///   cannot be started.
    public convenience init(
        opening app: any App.Type, options: [UInt8], isErased: Bool = false, seed: UInt64, time: Timestamp,
        link: [JSONValue] = [], handling: LinkHandling = .follow, limits: Limits = Limits()
    ) throws {
        let secrets = SecretLedger()
        secrets.begin(revision: 1, isErased: isErased)
        try self.init(
            root: app.root(decoding: options, secrets), secrets: secrets, seed: seed, time: time, link: link,
            handling: handling, limits: limits)
    }
}
