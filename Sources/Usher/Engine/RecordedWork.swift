import UsherJSON

/// An effect or a timer, as recorded in the entry of the input that began it.
package struct RecordedWork: Equatable, Sendable {
    /// The id that the input gave the work.
    package let id: EffectID
    /// The effect's name; `timer` for a timer.
    package let name: String
    /// The path of the work's coordinator, and the name of the screen whose leaving ends the work.
    package let owner: String
    /// The time at which a timer is due; nil for an effect.
    package let due: Timestamp?
    /// The effect as JSON; nil for a timer, and for an effect that is not `Codable`, contains secrets, or is too large.
    package let value: [UInt8]?

    package init(id: EffectID, name: String, owner: String, due: Timestamp? = nil, value: [UInt8]? = nil) {
        (self.id, self.name, self.owner, self.due, self.value) = (id, name, owner, due, value)
    }

    /// A Boolean value indicating whether the work is a timer.
    package var isTimer: Bool { due != nil }
}

extension Tree {
    /// The pending work that the last input began, as the input's entry records it.
    package var begunWork: [RecordedWork] {
        guard !pendingWork.isEmpty else { return [] }
        return pendingWork.items.filter { $0.id.revision == revision }.map(record)
    }

    /// All pending work except deferred work, in the form in which entries record work.
    package var pendingRecordedWork: [RecordedWork] {
        pendingWork.items.filter { !$0.isDeferred }.map { $0.recorded ?? record($0) }
    }

    /// The effects that run with a value of this build, because no value was recorded.
    package var effectsWithoutRecordedValue: [RecordedWork] {
        pendingWork.items.compactMap(\.recorded).filter { !$0.isTimer && $0.value == nil }
    }

    private func record(_ work: PendingWork) -> RecordedWork {
        RecordedWork(
            id: work.id, name: work.name, owner: work.owner, due: work.work?.due,
            value: work.value(limit: limits.outputBytes))
    }

    /// The work of earlier inputs that the last input has cancelled.
    package var cancelledWork: [EffectID] {
        pendingWork.cancelled.isEmpty ? [] : pendingWork.cancelled.filter { $0.revision < revision }
    }

    /// Returns a Boolean value indicating whether the tree waits for some work.
    package func waits(for id: EffectID) -> Bool { pendingWork.items.contains { $0.id == id } }

    /// Matches the work that a replayed input has begun with the recorded work; returns recorded work without a match.
    ///
    /// Work without a match is deferred: the next input that is not a replay begins it, under a new id. Pass true for
    /// `isAll` if `recorded` is all work that was pending.
    package func identify(_ recorded: [RecordedWork], isAll: Bool = false) -> [RecordedWork] {
        pendingWork.identify(recorded, begunAt: isAll ? nil : revision, in: self)
    }

    /// Returns a Boolean value indicating whether deferred work has the same name as unmatched recorded work.
    ///
    /// If so, it is unknown which deferred work corresponds to the recorded work.
    package func defersWork(like recorded: RecordedWork) -> Bool {
        pendingWork.items.contains { $0.isDeferred && $0.isNamed(recorded) }
    }

    /// Sets recorded values and due times of pending work; returns an effect whose value this build cannot decode.
    package func applyRecordedValues() -> RecordedWork? {
        for work in pendingWork.items {
            if let recorded = work.recorded, !work.apply(recorded, limit: limits.outputBytes) { return recorded }
        }
        return nil
    }

    /// Cancels work that has already ended in inputs that are not replayed, so that the work does not run again.
    package func discardWork(_ ids: Set<EffectID>) {
        guard !pendingWork.isEmpty else { return }
        pendingWork.discard { ids.contains($0.id) }
    }
}

extension PendingWork {
    var owner: String { screen.map { "\(node.path) \($0.name)" } ?? node.path }

    func value(limit: Int) -> [UInt8]? { source?.recordedValue(limit: limit) }
}

extension Effect {
    /// Returns the effect as JSON; nil if the effect is not `Codable`, contains secrets, or is larger than a limit.
    func recordedValue(limit: Int) -> [UInt8]? {
        guard let value = self as? any Codable else { return nil }
        var (masked, revealed) = (JSONWriter(), JSONWriter())
        guard (try? masked.encode(value)) != nil, (try? revealed.encodeRevealingSecrets(value)) != nil,
            masked.bytes == revealed.bytes, masked.bytes.count <= limit
        else { return nil }
        return masked.bytes
    }

    /// Returns the work of running a recorded effect; nil if this build cannot decode the effect.
    static func kind(of value: [UInt8], limit: Int) -> Work.Kind? {
        guard let type = Self.self as? any Decodable.Type, let json = try? JSONDocument(parsing: value).root,
            let effect = (try? json.decode(type)) as? Self
        else { return nil }
        return effect.kind(limit: limit)
    }

    /// Returns the work of running the effect, whose output may have at most `limit` bytes of JSON.
    func kind(limit: Int) -> Work.Kind {
        .effect { services, id in await outcome(with: services, id: id, limit: limit) }
    }
}
