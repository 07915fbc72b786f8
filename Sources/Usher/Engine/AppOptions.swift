package import UsherJSON

extension App {
    /// Creates the root coordinator from a JSON object whose members replace the same members of `Self.options`.
    ///
    /// - Throws: `JSONError` for an option that does not decode, or the errors of `root(_:)`.
    static func root(decoding members: [UInt8], _ secrets: SecretLedger) throws -> AnyCoordinator {
        let options = try decodedOptions(members, secrets)
        return try secrets.handling { try root(options) }
    }

    /// Merges the client's members into the encoded defaults, because Swift's synthesized decoders have no defaults.
    private static func decodedOptions(_ members: [UInt8], _ secrets: SecretLedger) throws -> Options {
        let given = try JSONDocument(parsing: members).root
        guard given.kind == .object else { throw given.error("expected an object of options") }
        var encoded = JSONWriter()
        try encoded.encodeRevealingSecrets(options)
        let defaults = try JSONDocument(parsing: encoded.bytes).root

        var merged = JSONWriter()
        merged.beginObject()
        for (name, value) in defaults.members {
            merged.key(name)
            merged.raw((given[member: name] ?? value).bytes)
        }
        for (name, value) in given.members where defaults[member: name] == nil {
            merged.key(name)
            merged.raw(value.bytes)
        }
        merged.endObject()
        let json = try JSONDocument(parsing: merged.bytes).root
        let translation = PlaceTranslation(given: given, at: 0..<members.count, decoded: json)
        return try secrets.decode(
            Options.self, json,
            from: SecretSource(part: .options, range: json.range, input: nil, translation: translation))
    }
}

/// Translates positions in a decoded object to positions in the text that the client sent.
///
/// The decoded text and the client's text differ if the client's options were merged into the defaults, or if a flow's
/// former name was replaced. The type is a class, so that a tree without a translation stores only nil.
final class PlaceTranslation {
    private let given: JSONValue
    private let decoded: JSONValue
    /// The former names of members that the client used, by their current names.
    private let formerNames: [String: String]
    /// The range of the client's text in its document.
    private let range: Range<Int>
    var length: Int { range.count }

    init(given: JSONValue, at range: Range<Int>, decoded: JSONValue, formerNames: [String: String] = [:]) {
        self.given = given
        self.range = range
        self.decoded = decoded
        self.formerNames = formerNames
    }

    /// Returns a place in the client's text; nil for a default value.
    func place(of range: Range<Int>) -> Range<Int>? {
        guard let (name, value) = decoded.members.first(where: { $0.value.range.contains(range) }) else {
            return 0..<length
        }
        guard let start = given[member: formerNames[name] ?? name]?.range.lowerBound else { return nil }
        let shift = start - self.range.lowerBound - value.range.lowerBound
        return range.lowerBound + shift..<range.upperBound + shift
    }
}

extension Tree {
    /// Opens a session of an app, at revision 1 or at the first revision after the root has started over.
    ///
    /// - Parameters:
    ///   - options: A JSON object; each of its members replaces the same member of the app's options.
    ///   - isErased: Whether the secrets in the options and the link were erased and replaced by null.
    ///   - seed: The seed of the session's random numbers.
    ///   - time: The time of the session's creation.
    ///   - link: The steps of a deep link to open, from the root down.
    ///   - handling: The handling of the link. If following the link has failed before, a value other than `follow`.
    ///   - limits: The limits of the session; nil for the app's limits, bounded by a server's default.
    ///   - client: The client that opens the session.
    ///   - isReplayed: Pass true if a build has already accepted the creation. The tree then handles recorded inputs
    ///     until `endReplay()` is called.
    ///   - origin: The point of the session at which its history begins.
    ///   - changes: The changes known to the build that opened the session; nil for this build.
    /// - Throws: `JSONError` for options that do not decode; `Rejection` or the errors of the app's `root(_:)` if the
    ///   app cannot be started.
    package convenience init(
        opening app: any App.Type, options: [UInt8], isErased: Bool = false, seed: UInt64, time: Timestamp,
        link: [JSONValue] = [], handling: LinkHandling = .follow, limits: Limits? = nil,
        client: Client = Client(), isReplayed: Bool = false, at origin: TreeOrigin = TreeOrigin(),
        knowing changes: [String]? = nil
    ) throws {
        let secrets = SecretLedger()
        secrets.begin(revision: origin.revision, isErased: isErased)
        try self.init(
            root: app.root(decoding: options, secrets), secrets: secrets, seed: seed, time: time, link: link,
            handling: handling, limits: limits ?? app.limits.bounded(by: Limits.usualStateLimit),
            audience: .of(app, client), isReplayed: isReplayed, of: app, at: origin,
            changes: .of(app, opening: changes))
        note(options: options)
    }

    /// Returns a Boolean value indicating whether the client of an ended session may see options of this size.
    package static func tells(_ options: [UInt8]) -> Bool { toldSizes.contains(options.count) }

    /// The sizes in bytes of options that the client may see.
    private static let toldSizes = 3...4 << 10
}
