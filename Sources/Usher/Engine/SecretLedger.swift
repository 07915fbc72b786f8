import UsherJSON

/// The secrets in a tree's inputs.
///
/// The state is accessed without exclusivity checks, because no app code runs during a change.
final class SecretLedger {
    /// The secrets of the current or last input; nil if this input contained no secrets.
    @safe @exclusivity(unchecked) private var current: InputSecrets?
    /// The secrets that may be erased when no object holds them any more.
    @safe @exclusivity(unchecked) private var watched: [InputSecrets] = []
    /// The part of an input that is being decoded.
    @safe @exclusivity(unchecked) private var source: SecretSource?
    @safe @exclusivity(unchecked) private var revision = 1
    @safe @exclusivity(unchecked) private var isCurrentErased = false

    /// The places of the secrets of the last input, if the input was accepted.
    var places: SecretPlaces {
        guard let current, !current.isOpen else { return SecretPlaces() }
        return current.places
    }

    func begin(revision: Int, isErased: Bool) {
        self.revision = revision
        isCurrentErased = isErased
        current = nil
    }

    /// Begins a new history, and forgets the secrets of earlier inputs.
    ///
    /// - Returns: Whether the current input may contain secrets. They may be in steps that are not decoded yet.
    func beginAnew(revision: Int) -> Bool {
        defer { begin(revision: revision, isErased: false) }
        watched = []
        return current != nil
    }

    /// Returns the secrets of the current input, and creates the object if necessary.
    func expect() -> InputSecrets {
        let input = current ?? InputSecrets(revision: revision, isErased: isCurrentErased)
        current = input
        return input
    }

    /// Runs app code, and records each secret that the code reads as read by a handler.
    func handling<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard current != nil || !watched.isEmpty else { return try body() }
        return try HandlerScope.$isOn.withValue(true, operation: body)
    }

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

    /// Records that the input was accepted; `link` has the steps of the input's link, if the link has to wait.
    func commit(waiting link: @autoclosure () -> [JSONValue]) {
        guard let current else { return }
        current.close(waiting: link())
        if current.isWorthWatching { watched.append(current) }
    }

    /// Returns the revisions whose secrets may be erased now, each revision only once.
    ///
    /// The secrets of the waiting link are not erased, because the link will be decoded again.
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
    /// A Boolean value indicating whether null replaces the secrets in the decoded part.
    var isErased: Bool { source?.input?.isErased ?? isCurrentErased }

    /// Records a decoded secret; returns nil if the use of the secret need not be recorded.
    func note(_ json: JSONValue) -> SecretUse? {
        guard let source else { return nil }
        let input = source.input ?? expect()
        let use = input.note(json, in: source)
        input.setDecoding(true)
        return use
    }

    func readsNull(as type: any Decodable.Type) -> Bool {
        guard type is any SecretType.Type, let source else { return false }
        // Keep the input's secrets. If they were erased, a replay would take this null for an erased secret.
        if !isErased { (source.input ?? expect()).keep() }
        return isErased
    }

    func didRecover() {
        // Keep the secrets. If they were erased, the attempt to decode that failed now might succeed in a replay.
        (source?.input ?? current)?.keep()
    }
}

/// A secret of any type.
private protocol SecretType {}

extension Secret: SecretType {}

/// A part of an input that is being decoded.
struct SecretSource {
    let part: SecretPlaces.Part
    /// The range of the part's text in the decoded document.
    let range: Range<Int>
    /// The secrets of the input that brought the part; nil for the current input.
    let input: InputSecrets?
    /// Translates places in the decoded document to places in the journal's text; nil if the texts are the same.
    let translation: PlaceTranslation?

    /// Returns a place relative to the start of the part; nil for a value that the client did not send.
    func place(of json: JSONValue) -> Range<Int>? {
        if let translation { return translation.place(of: json.range) }
        return json.range.lowerBound - range.lowerBound..<json.range.upperBound - range.lowerBound
    }

    /// The length of the part's text in the journal.
    var length: Int { translation?.length ?? range.count }
}

/// Shows whether the code that reads a secret belongs to a coordinator's handler.
///
/// The value belongs to the task (or, outside of tasks, to the thread), because an effect in another task may read a
/// secret at the same time.
enum HandlerScope {
    @TaskLocal static var isOn = false
}
