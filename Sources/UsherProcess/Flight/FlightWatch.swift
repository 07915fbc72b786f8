/// The watchdog's account of what is in flight: it is told what the slots hold, and says what has gone on for too long or
/// taken too much.
struct FlightWatch {
    /// A slot with something in flight.
    struct Sight: Equatable {
        /// The slot.
        let slot: Int
        /// The number of the mark in its slot.
        let sequence: UInt64
        /// The mark's revision, which moves on in a replay.
        let revision: Int
        /// The time at which it began.
        let begin: Int64
    }

    /// A mark that is beyond a limit.
    struct Excess: Equatable {
        /// What was seen in the slot.
        let sight: Sight
        /// The limit, and by how much.
        let note: FlightMark.Note
    }

    private struct Watched {
        var sight: Sight
        /// Nanoseconds for which it was seen; not those for which the process was stopped.
        var elapsed: Int64
        /// The process's size when it began.
        let size: Int
    }

    /// A longer time between two looks was no work: the process, or the machine, stood still.
    static let longestGap: Int64 = 1_000_000_000

    private let limits: (time: Int64?, memory: Int?)
    private var watched: [Int: Watched] = [:]
    private var last: (time: Int64, size: Int)?
    /// Bytes by which the process has grown since the oldest mark began, at the last look.
    private(set) var growth = 0

    init(_ limits: WatchLimits) {
        self.limits = (limits.nanoseconds, limits.memory)
    }

    /// Looks at all that is in flight.
    ///
    /// A thread's memory cannot be told from that of others: where the process has grown too much since a mark
    /// began, all marks are found, and isolated runs decide.
    ///
    /// - Parameters:
    ///   - sights: The slots with something in flight.
    ///   - time: The time, by the `MonotonicClock`.
    ///   - size: Bytes of the process in memory; as before where nil.
    /// - Returns: The marks beyond a limit.
    mutating func look(at sights: [Sight], at time: Int64, size: Int?) -> [Excess] {
        let size = size ?? last?.size ?? 0
        let before = last ?? (time, size)
        last = (time, size)
        guard !sights.isEmpty else {
            watched.removeAll(keepingCapacity: true)
            return []
        }
        let gap = min(time &- before.time, Self.longestGap)
        var seen: [Int: Watched] = [:]
        for sight in sights {
            // Another mark, or a replay that has moved on, counts anew.
            if var known = watched[sight.slot], known.sight == sight {
                known.elapsed &+= gap
                seen[sight.slot] = known
            } else if let known = watched[sight.slot], known.sight.sequence == sight.sequence {
                seen[sight.slot] = Watched(sight: sight, elapsed: 0, size: known.size)
            } else {
                let elapsed = min(max(0, time &- sight.begin), max(gap, 0))
                seen[sight.slot] = Watched(sight: sight, elapsed: elapsed, size: before.size)
            }
        }
        watched = seen
        return findings(size: size)
    }

    private mutating func findings(size: Int) -> [Excess] {
        growth = watched.values.map { size - $0.size }.max() ?? 0
        let isTooLarge = limits.memory.map { growth > $0 } ?? false
        return watched.values.compactMap { known in
            if let limit = limits.time, known.elapsed > limit {
                return Excess(sight: known.sight, note: .overtime(nanoseconds: known.elapsed))
            }
            return isTooLarge
                ? Excess(sight: known.sight, note: .memory(bytes: Int64(size - known.size))) : nil
        }.sorted { $0.sight.slot < $1.sight.slot }
    }
}

/// The limits of author's code that is in flight.
package struct WatchLimits: Sendable {
    /// The time that a handler, a replayed input, a creation or an encoding may take; nil for no limit.
    package var handlerTime: Duration?
    /// Bytes by which the process may grow while one of them runs; nil for no limit.
    package var memory: Int?

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - handlerTime: The time that author's code may take.
    ///   - memory: Bytes by which the process may grow meanwhile.
    package init(handlerTime: Duration?, memory: Int?) {
        self.handlerTime = handlerTime
        self.memory = memory
    }

    var nanoseconds: Int64? { handlerTime?.nanoseconds }
}
