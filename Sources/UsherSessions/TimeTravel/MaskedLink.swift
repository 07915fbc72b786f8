import Usher
import UsherJSON

/// A link with its secrets masked.
///
/// What had to wait is masked in its entry as a whole, for no host had decoded it; here the app's hosts are asked.
struct MaskedLink {
    /// The steps as JSON.
    let steps: [[UInt8]]
    /// Whether there was a secret.
    let hasSecrets: Bool

    /// Masks a link.
    ///
    /// - Parameters:
    ///   - steps: The steps as they came.
    ///   - masked: The same, masked as their entry says.
    ///   - app: The app.
    ///   - isErased: Whether null stands for secrets in them.
    init(_ steps: [JSONValue], masked: [JSONValue], app: any App.Type, isErased: Bool) {
        let all = zip(steps, masked).map { step, masked in
            guard let payload = masked.caseNameAndPayload?.payload, payload.string == "…",
                step.caseNameAndPayload?.payload?.kind == .object,
                let known = app.masked(step, isErased: isErased)
            else { return (json: Array(masked.bytes), hasSecrets: !masked.bytes.elementsEqual(step.bytes)) }
            return known
        }
        self.steps = all.map(\.json)
        hasSecrets = all.contains { $0.hasSecrets }
    }
}
