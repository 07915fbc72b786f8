package import UsherJSON

extension App {
    /// Makes the root coordinator from options as they came over the wire.
    ///
    /// - Parameters:
    ///   - members: An object's text; each member replaces the one of `Self.options`.
    ///   - secrets: The account of the secrets in it.
    /// - Throws: `JSONError` for an option that does not decode; whatever `root(_:)` throws.
    static func root(decoding members: [UInt8], _ secrets: SecretLedger) throws -> AnyCoordinator {
        let options = try decodedOptions(members, secrets)
        return try secrets.handling { try root(options) }
    }

    /// Swift's synthesized decoders know no defaults, so the client's members are laid over the encoded defaults.
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

/// A translation of places in an object that is decoded to the client's own text: options are laid over the defaults, and
/// the former name of a flow is replaced.
///
/// A class, for each tree has the place for one, and hardly any input needs it.
final class PlaceTranslation {
    private let given: JSONValue
    private let decoded: JSONValue
    /// The names of members in the client's text that differ.
    private let formerNames: [String: String]
    /// The place of the client's text in its document.
    private let range: Range<Int>
    /// The length of the text that the client gave.
    var length: Int { range.count }

    init(given: JSONValue, at range: Range<Int>, decoded: JSONValue, formerNames: [String: String] = [:]) {
        self.given = given
        self.range = range
        self.decoded = decoded
        self.formerNames = formerNames
    }

    /// A place in the text that the client gave; nil for a default.
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
    /// Opens an app: revision 1, or the first revision after the root has started over.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - options: An object's text; each member replaces the one of the app's own options.
    ///   - isErased: Whether the secrets in options and link were erased: null stands in their places.
    ///   - seed: Where the session's random numbers come from.
    ///   - time: When the session was created.
    ///   - link: A deep link to begin with; the flows from the root down.
    ///   - handling: What is done with that link; it is followed unless that has failed.
    ///   - limits: How large the tree may grow; nil for the app's own limits, as a server sets them by default.
    ///   - client: The client that opens it.
    ///   - isReplayed: True where a build has accepted the creation, and its inputs follow until `endReplay()`.
    ///   - origin: The point of the session at which its history begins.
    ///   - changes: The changes that the build knew which opened the session; nil for this build.
    /// - Throws: `JSONError` for options that do not decode; `Rejection`, or what the app's `root(_:)` throws, when it
    ///   cannot be started.
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

    /// True of options without a secret that a client is told of a session that is over: more than `{}`, and no long ones.
    package static func tells(_ options: [UInt8]) -> Bool { toldSizes.contains(options.count) }

    /// In bytes.
    private static let toldSizes = 3...4 << 10
}
