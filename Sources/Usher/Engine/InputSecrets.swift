import Synchronization
import UsherJSON

/// The secrets that one input contained.
final class InputSecrets {
    let revision: Int
    /// Whether the secrets were erased from the journal.
    let isErased: Bool
    private(set) var places = SecretPlaces()
    private let use = SecretUse()
    private var stepsDecoded = 0
    /// Whether the secrets can be erased when no object holds them any more.
    private var isErasable: Bool
    /// Whether the input is still being handled, so that more of its secrets may be found.
    private(set) var isOpen = true

    /// The maximum number of secrets; if an input has more, its parts are masked as a whole and not erased.
    private static let limit = 64

    init(revision: Int, isErased: Bool) {
        self.revision = revision
        self.isErased = isErased
        isErasable = !isErased
    }

    var isReleased: Bool { !use.isHeld }

    /// Whether the ledger must watch the secrets, because they may be erased later.
    var isWorthWatching: Bool { isErasable && !places.isEmpty && !use.isRead }

    func setDecoding(_ isDecoding: Bool) {
        use.setDecoding(isDecoding)
    }

    func noteDecoding(of part: SecretPlaces.Part) {
        if case .step(let index) = part { stepsDecoded = max(stepsDecoded, index + 1) }
    }

    /// Records a secret, and returns the object that records the secret's use; nil if the use need not be recorded.
    func note(_ json: JSONValue, in source: SecretSource) -> SecretUse? {
        guard let place = source.place(of: json) else { return nil }
        if isOpen { note(place, in: source) }
        return isErasable ? use : nil
    }

    /// Prevents the erasure of the secrets, because without them the input might be decoded differently.
    func keep() {
        isErasable = false
    }

    /// Closes the input, because the tree has accepted it.
    ///
    /// If the input's link has to wait, the steps after the first host that is not ready were not decoded, so the
    /// places of their secrets are unknown. These steps are masked as a whole and not erased.
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
            // Mask the whole part. Do not erase it, because a replay without the part would be impossible.
            isErasable = false
            return places.coverAll(of: source.part, whole)
        }
        places.add(place, in: source.part)
    }
}

/// Records whether objects hold the secrets of one input, and whether a handler has read one of these secrets.
///
/// Holders are counted, not referenced weakly, so that the cost does not depend on the number of secrets.
final class SecretUse: Sendable {
    private let holders = Atomic(0)
    private let wasRead = Atomic(false)
    private let decoding = Atomic(false)

    var isHeld: Bool { holders.load(ordering: .acquiring) > 0 }

    /// Whether a handler has read one of the secrets, so that a replay would read it again.
    var isRead: Bool { wasRead.load(ordering: .acquiring) }

    func hold() {
        holders.add(1, ordering: .relaxed)
    }

    func release() {
        holders.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// Records that a secret was read, if the reading code is a coordinator's handler or the decoding of the input.
    func noteReading() {
        guard HandlerScope.isOn || decoding.load(ordering: .relaxed) else { return }
        wasRead.store(true, ordering: .releasing)
    }

    /// Sets whether the input is being decoded, because the app's own `init(from:)` may then read a secret outside of a
    /// handler.
    func setDecoding(_ isDecoding: Bool) {
        decoding.store(isDecoding, ordering: .relaxed)
    }
}

/// The storage that all copies of one secret share: the secret's value, and the object that records the use.
final class SecretBox<Value: Sendable>: Sendable {
    /// The value; nil if it was erased from the journal.
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
