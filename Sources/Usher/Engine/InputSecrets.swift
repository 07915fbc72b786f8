import Synchronization
import UsherJSON

/// The secrets that one input brought.
final class InputSecrets {
    let revision: Int
    /// Set where the journal has them no more.
    let isErased: Bool
    /// Their places in the journal's entry.
    private(set) var places = SecretPlaces()
    private let use = SecretUse()
    /// The steps of its link that have been decoded.
    private var stepsDecoded = 0
    /// Set as long as they can be erased once nobody holds them.
    private var isErasable: Bool
    /// Set while the input is being handled: its entry may still get places.
    private(set) var isOpen = true

    /// An input with more is masked as a whole, and kept.
    private static let limit = 64

    init(revision: Int, isErased: Bool) {
        self.revision = revision
        self.isErased = isErased
        isErasable = !isErased
    }

    /// True once nobody holds one any more.
    var isReleased: Bool { !use.isHeld }

    /// True where they have to be watched: they may be erased one day.
    var isWorthWatching: Bool { isErasable && !places.isEmpty && !use.isRead }

    func setDecoding(_ isDecoding: Bool) {
        use.setDecoding(isDecoding)
    }

    func noteDecoding(of part: SecretPlaces.Part) {
        if case .step(let index) = part { stepsDecoded = max(stepsDecoded, index + 1) }
    }

    /// Notes a secret.
    ///
    /// - Returns: What it has to tell of its use; nil where that does not matter.
    func note(_ json: JSONValue, in source: SecretSource) -> SecretUse? {
        guard let place = source.place(of: json) else { return nil }
        if isOpen { note(place, in: source) }
        return isErasable ? use : nil
    }

    /// Notes that the input could be read otherwise without them, so that they stay.
    func keep() {
        isErasable = false
    }

    /// Notes that the input counts: its entry is written now.
    ///
    /// - Parameter link: The steps of its link, if that has to wait. No type has told yet where in the steps behind the
    ///   first host that is not ready secrets are: they are masked as a whole, and kept.
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
            // Without its text, a part would be nothing that replay could read.
            isErasable = false
            return places.coverAll(of: source.part, whole)
        }
        places.add(place, in: source.part)
    }
}

/// The use of the secrets that one input brought, whoever has them, on whatever thread.
///
/// A count instead of weak references: it costs the same for any number of secrets.
final class SecretUse: Sendable {
    private let holders = Atomic(0)
    private let wasRead = Atomic(false)
    private let decoding = Atomic(false)

    /// True while somebody holds one of them.
    var isHeld: Bool { holders.load(ordering: .acquiring) > 0 }

    /// True once a handler has read one of them: it will again when it is replayed.
    var isRead: Bool { wasRead.load(ordering: .acquiring) }

    func hold() {
        holders.add(1, ordering: .relaxed)
    }

    func release() {
        holders.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// Notes that one is read, where a coordinator's handler or the decoding of the input does it.
    func noteReading() {
        guard HandlerScope.isOn || decoding.load(ordering: .relaxed) else { return }
        wasRead.store(true, ordering: .releasing)
    }

    /// An author's own `init(from:)` reads without a handler around it.
    func setDecoding(_ isDecoding: Bool) {
        decoding.store(isDecoding, ordering: .relaxed)
    }
}

/// The storage that the copies of one secret share: the value, and the use of its input's secrets.
final class SecretBox<Value: Sendable>: Sendable {
    /// Nil where the journal has it no more.
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
