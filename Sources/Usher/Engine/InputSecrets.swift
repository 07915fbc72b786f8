import Synchronization
import UsherJSON

/// The secrets that one input contained.
final class InputSecrets {
    let revision: Int
    /// Whether the secrets were erased from the journal.
    let isErased: Bool
    /// The places of the secrets in the journal's entry.
    private(set) var places = SecretPlaces()
    private let use = SecretUse()
    /// The number of the link's steps that were decoded.
    private var stepsDecoded = 0
    /// Whether the secrets can be erased once no object holds them.
    private var isErasable: Bool
    /// Whether the input is still being handled, so that it may bring more secrets.
    private(set) var isOpen = true

    /// The maximum number of secrets; an input with more is masked as a whole and not erased.
    private static let limit = 64

    init(revision: Int, isErased: Bool) {
        self.revision = revision
        self.isErased = isErased
        isErasable = !isErased
    }

    /// Whether no object holds one of the secrets any more.
    var isReleased: Bool { !use.isHeld }

    /// Whether the secrets must be watched, because they may be erased later.
    var isWorthWatching: Bool { isErasable && !places.isEmpty && !use.isRead }

    func setDecoding(_ isDecoding: Bool) {
        use.setDecoding(isDecoding)
    }

    func noteDecoding(of part: SecretPlaces.Part) {
        if case .step(let index) = part { stepsDecoded = max(stepsDecoded, index + 1) }
    }

    /// Records a secret.
    ///
    /// - Returns: The object that records the secret's use; nil if its use does not matter.
    func note(_ json: JSONValue, in source: SecretSource) -> SecretUse? {
        guard let place = source.place(of: json) else { return nil }
        if isOpen { note(place, in: source) }
        return isErasable ? use : nil
    }

    /// Keeps the secrets, because the input could be decoded differently without them.
    func keep() {
        isErasable = false
    }

    /// Closes the input, because it was accepted and its entry is written now.
    ///
    /// - Parameter link: The steps of the input's link, if the link has to wait. The steps after the first host that
    ///   is not ready are not decoded, so the places of their secrets are unknown: these steps are masked as a whole
    ///   and not erased.
    func close(waiting link: [JSONValue]) {
        isOpen = false
        for (index, step) in link.enumerated().dropFirst(stepsDecoded) {
            guard let payload = step.caseNameAndPayload?.payload, !payload.isEmptyObject else { continue }
            let start = payload.range.lowerBound - step.range.lowerBound
            places.add(start..<start + payload.range.count, in: .step(index))
            isErasable = false
        }
    }

    private func note(_ place: Range<Int>, in source: SecretSource) {
        let whole = 0..<source.length
        guard places.count < Self.limit, place != whole else {
            // The whole part is masked. Erasing it would make a replay impossible.
            isErasable = false
            return places.coverAll(of: source.part, whole)
        }
        places.add(place, in: source.part)
    }
}

/// Records, for the secrets of one input, whether objects hold them and whether a handler has read one.
///
/// A count replaces weak references, so that the cost does not depend on the number of secrets.
final class SecretUse: Sendable {
    private let holders = Atomic(0)
    private let wasRead = Atomic(false)
    private let decoding = Atomic(false)

    /// Whether an object holds one of the secrets.
    var isHeld: Bool { holders.load(ordering: .acquiring) > 0 }

    /// Whether a handler has read one of the secrets; a replay will read it again.
    var isRead: Bool { wasRead.load(ordering: .acquiring) }

    func hold() {
        holders.add(1, ordering: .relaxed)
    }

    func release() {
        holders.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// Records that a secret is read, if a coordinator's handler or the decoding of the input reads it.
    func noteReading() {
        guard HandlerScope.isOn || decoding.load(ordering: .relaxed) else { return }
        wasRead.store(true, ordering: .releasing)
    }

    /// Sets whether the input is being decoded: an author's own `init(from:)` may read a secret outside of a handler.
    func setDecoding(_ isDecoding: Bool) {
        decoding.store(isDecoding, ordering: .relaxed)
    }
}

/// The storage that the copies of one secret share: the value, and the use of its input's secrets.
final class SecretBox<Value: Sendable>: Sendable {
    /// nil if the value was erased from the journal.
    let value: Value?
    let use: SecretUse?

    init(_ value: Value?, use: SecretUse?) {
        self.value = value
        self.use = use
        use?.hold()
    }

    deinit {
        use?.release()
    }
}
