import LocalhostClient
import Usher
import UsherProcess

/// Sends a number to the backend on the port in `USHER_TEST_BACKEND`.
///
/// The key is the effect's id, which is the same on every server.
struct Delivery: Effect {
    struct Receipt: Codable, Sendable { let number: Int }

    let number: Int
    /// The number that its result adds.
    let receipt: Int

    func run(_ context: EffectContext<NoServices>) async throws -> Receipt {
        guard let port = ProcessEnvironment.variable("USHER_TEST_BACKEND").flatMap({ Int($0) }) else {
            throw Refusal("there is no backend")
        }
        // The timeout is longer than any freeze of the server, because a timeout would be a different result.
        let answer = try LocalhostClient(port: port, token: nil, timeout: 300).request(
            "POST", "/deliveries", headers: [("Idempotency-Key", context.id)], body: "\(number)")
        guard answer.status == 200 else { throw Refusal("the backend says \(answer.status)") }
        return Receipt(number: receipt)
    }
}
