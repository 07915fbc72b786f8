import ServerCluster

/// The comparison of all that clients of a cluster were told with what its servers, its database and its backend have at
/// the end.
struct FinalCheck {
    private let history: HistoryChecker
    private let deliveries: Set<Anomaly>

    /// Reads what is left of all sessions, once nothing is pending there any more.
    ///
    /// - Parameters:
    ///   - observations: All clients'.
    ///   - cluster: The servers.
    ///   - backend: The backend of their effects, where they have one.
    ///   - faults: How many faults took place.
    ///   - deaths: How often the server that ran an effect may have died, or lost its lease.
    init(
        _ observations: [Observation], on cluster: ServerCluster, backend: DeliveryBackend? = nil, faults: Int,
        deaths: Int = 0
    ) throws {
        var records: [String: FinalRecord] = [:]
        for session in Set(observations.map(\.session)) {
            records[session] = try FinalReading(of: session, on: cluster).record()
        }
        history = HistoryChecker(observations, records, faults: faults)
        let checker = backend.map { DeliveryChecker(deliveries: $0.ids, deaths: deaths) }
        // Of a session that has ended an effect may never have begun.
        deliveries = checker?.anomalies(in: observations.filter { records[$0.session]?.hasEnded != true }) ?? []
    }

    /// The number of events that were acknowledged.
    var acknowledged: Int { history.acknowledged }

    /// All anomalies that there are.
    func anomalies() -> Set<Anomaly> { history.anomalies().union(deliveries) }

    /// The part of a session's history that shows an anomaly.
    func evidence(of anomaly: Anomaly) -> String { history.evidence(of: anomaly) }
}
