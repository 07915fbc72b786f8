import ServerCluster

/// Compares all responses to a cluster's clients with the final data of its servers, database and backend.
struct FinalCheck {
    private let history: HistoryChecker
    private let deliveries: Set<Anomaly>

    /// Reads the records of all sessions when no work is pending any more.
    ///
    /// - Parameters:
    ///   - observations: The observations of all clients.
    ///   - cluster: The servers.
    ///   - backend: The backend of their effects; nil if there is none.
    ///   - faults: The number of faults.
    ///   - deaths: The number of times that the server of an effect may have died or lost its lease.
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
        // In a session that has ended, an effect may never have started.
        deliveries = checker?.anomalies(in: observations.filter { records[$0.session]?.hasEnded != true }) ?? []
    }

    /// The number of acknowledged events.
    var acknowledged: Int { history.acknowledged }

    /// Returns all anomalies.
    func anomalies() -> Set<Anomaly> { history.anomalies().union(deliveries) }

    /// Returns the part of a session's history that shows an anomaly.
    func evidence(of anomaly: Anomaly) -> String { history.evidence(of: anomaly) }
}
