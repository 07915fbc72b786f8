/// The watchdog's state machine: from the contents of the slots, it finds the marks that exceed a limit.
struct FlightWatch {
    struct Sight: Equatable {
        /// The index of the slot.
        let slot: Int
        let sequence: UInt64
        /// The mark's revision, which advances in a replay.
        let revision: Int
        let begin: Int64
    }

    struct Excess: Equatable {
        let sight: Sight
        /// The limit, with the measured amount.
        let note: FlightMark.Note
    }

    private struct Watched {
        var sight: Sight
        /// The nanoseconds for which the mark was seen, without the time during which the process was stopped.
        var elapsed: Int64
        /// The size of the process in bytes when the mark began.
        let size: Int
    }

    /// The longest gap between two checks that counts in full; in a longer gap, the process or machine was suspended.
    static let longestGap: Int64 = 1_000_000_000

    private let limits: (time: Int64?, memory: Int?)
    private var watched: [Int: Watched] = [:]
    private var last: (time: Int64, size: Int)?
    /// The bytes by which the process has grown since the oldest mark began, at the last check.
    private(set) var growth = 0

    init(_ limits: WatchLimits) {
        self.limits = (limits.nanoseconds, limits.memory)
    }

    /// Returns the marks that exceed a limit.
    ///
    /// If the process has grown too much, these are all marks, because memory cannot be attributed to a thread;
    /// isolated runs then show which input caused the growth.
    ///
    /// - Parameters:
    ///   - sights: The slots with a mark.
    ///   - time: The time by the `MonotonicClock`.
    ///   - size: The process's resident bytes; nil if the number is the same as before.
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
            // The time starts again if the slot has a new mark, or if the replay has advanced.
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

/// The limits of an app's code.
package struct WatchLimits: Sendable {
    /// The longest time for a handler, a replayed input, a creation, or an encoding; nil for no limit.
    package var handlerTime: Duration?
    /// The bytes by which the process may grow while the code runs; nil for no limit.
    package var memory: Int?

    package init(handlerTime: Duration?, memory: Int?) {
        self.handlerTime = handlerTime
        self.memory = memory
    }

    var nanoseconds: Int64? { handlerTime?.nanoseconds }
}
