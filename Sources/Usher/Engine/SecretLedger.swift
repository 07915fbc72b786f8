import UsherJSON

/// A tree's account of the secrets that its inputs brought.
///
/// Its state is accessed without checks for exclusivity: no author's code runs in the midst of a change.
final class SecretLedger {
    /// The secrets of the input that is being handled, or was handled last; nil where it brought none.
    @safe @exclusivity(unchecked) private var current: InputSecrets?
    /// Those that may be erased once nobody holds them.
    @safe @exclusivity(unchecked) private var watched: [InputSecrets] = []
    /// The part that is being decoded.
    @safe @exclusivity(unchecked) private var source: SecretSource?
    @safe @exclusivity(unchecked) private var revision = 1
    @safe @exclusivity(unchecked) private var isCurrentErased = false

    /// The places of the secrets of the input that was handled last, if it counted.
    var places: SecretPlaces {
        guard let current, !current.isOpen else { return SecretPlaces() }
        return current.places
    }

    /// Begins an input.
    func begin(revision: Int, isErased: Bool) {
        self.revision = revision
        isCurrentErased = isErased
        current = nil
    }

    /// Begins a history anew: the inputs before are gone, with their secrets.
    ///
    /// - Returns: Whether the input that is being handled may have brought secrets: steps of a link may not be decoded yet.
    func beginAnew(revision: Int) -> Bool {
        defer { begin(revision: revision, isErased: false) }
        watched = []
        return current != nil
    }

    /// The secrets of the input that is being handled, which may bring some.
    func expect() -> InputSecrets {
        let input = current ?? InputSecrets(revision: revision, isErased: isCurrentErased)
        current = input
        return input
    }

    /// Runs an author's code; a secret that it reads counts as read by a handler.
    ///
    /// It costs nothing as long as there are no secrets to read.
    func handling<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard current != nil || !watched.isEmpty else { return try body() }
        return try HandlerScope.$isOn.withValue(true, operation: body)
    }

    /// Decodes a part of an input.
    func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, _ json: JSONValue, from source: SecretSource
    ) throws(JSONError) -> Value {
        self.source = source
        defer {
            (source.input ?? current)?.setDecoding(false)
            self.source = nil
        }
        source.input?.noteDecoding(of: source.part)
        return try json.decode(type, in: self)
    }

    /// Notes that the input counts.
    ///
    /// - Parameter link: The steps of a link that it brought, if that has to wait.
    func commit(waiting link: @autoclosure () -> [JSONValue]) {
        guard let current else { return }
        current.close(waiting: link())
        if current.isWorthWatching { watched.append(current) }
    }

    /// The revisions whose secrets may be erased now, each once.
    ///
    /// - Parameter waiting: The secrets of a link that waits and will be decoded again.
    func takeErasableRevisions(waiting: InputSecrets?) -> [Int] {
        guard !watched.isEmpty else { return [] }
        watched.removeAll { !$0.isWorthWatching }
        var released: [Int] = []
        watched.removeAll { input in
            let isReleased = input.isReleased && input !== waiting
            if isReleased { released.append(input.revision) }
            return isReleased
        }
        return released
    }
}

extension SecretLedger: DecodingContext {
    /// True where null stands for a secret in what is being decoded.
    var isErased: Bool { source?.input?.isErased ?? isCurrentErased }

    /// Notes a secret that was decoded.
    ///
    /// - Returns: What it has to tell of its use; nil where that does not matter.
    func note(_ json: JSONValue) -> SecretUse? {
        guard let source else { return nil }
        let input = source.input ?? expect()
        let use = input.note(json, in: source)
        input.setDecoding(true)
        return use
    }

    func readsNull(as type: any Decodable.Type) -> Bool {
        guard type is any SecretType.Type, let source else { return false }
        // Once the others were erased, this null could not be told from theirs.
        if !isErased { (source.input ?? expect()).keep() }
        return isErased
    }

    func didRecover() {
        // With null in a secret's place, what failed might not fail.
        (source?.input ?? current)?.keep()
    }
}

/// A secret of any type.
private protocol SecretType {}

extension Secret: SecretType {}

/// A part of an input that is being decoded.
struct SecretSource {
    let part: SecretPlaces.Part
    /// The place of its text in the document that is decoded.
    let range: Range<Int>
    /// The input that brought it; nil for the one that is being handled.
    let input: InputSecrets?
    /// The translation of a place in that document to one in the journal's text, where that is another.
    let translation: PlaceTranslation?

    /// A place relative to the beginning of the part; nil where the client did not give what stands there.
    func place(of json: JSONValue) -> Range<Int>? {
        if let translation { return translation.place(of: json.range) }
        return json.range.lowerBound - range.lowerBound..<json.range.upperBound - range.lowerBound
    }

    /// The length of the part's text in the journal.
    var length: Int { translation?.length ?? range.count }
}

/// The scope of a coordinator's handler, in which what is read counts.
///
/// Bound to the task, or to the thread where there is none: an effect may read elsewhere at the same time.
enum HandlerScope {
    @TaskLocal static var isOn = false
}
