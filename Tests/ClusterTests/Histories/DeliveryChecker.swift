/// Compares the effects that clients have caused with the requests that reached the backend.
struct DeliveryChecker {
    /// The ids of the requests for each number.
    let deliveries: [Int: [String]]
    /// The number of times that the server of an effect may have died or lost its lease; each starts the effect again.
    let deaths: Int

    /// Returns all anomalies.
    func anomalies(in observations: [Observation]) -> Set<Anomaly> {
        var found: Set<Anomaly> = []
        for observation in observations {
            guard case .following(let receipt) = observation.request, let number = LedgerEvent.delivered(by: receipt)
            else { continue }
            let session = observation.session
            let ids = deliveries[number] ?? []
            if ids.isEmpty { found.insert(Anomaly(.notDelivered, of: session, number: number)) }
            if Set(ids).count > 1 { found.insert(Anomaly(.severalIds, of: session, number: number)) }
            if ids.count > 1 + deaths { found.insert(Anomaly(.begunTwice, of: session, number: number)) }
        }
        return found
    }
}
