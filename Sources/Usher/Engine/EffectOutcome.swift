package import UsherJSON

/// The outcome of an effect in the journal's form.
package enum EffectOutcome: Sendable {
    /// The output as JSON.
    case success([UInt8])
    /// The reason why there is no output.
    case failure(EffectFailure)
}

/// The id of an effect or timer within its session, such as `7.1`.
package struct EffectID: Hashable, Sendable {
    /// The revision of the input that began the work.
    package let revision: Int
    /// The position of the work among all work that the input began, from 1.
    package let index: Int

    /// Creates an id.
    package init(revision: Int, index: Int) {
        self.revision = revision
        self.index = index
    }

    /// Parses an id such as `7.1`, two positive numbers with a point between them; nil for another text.
    package init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let revision = numbers[0], let index = numbers[1], revision > 0, index > 0 else {
            return nil
        }
        self.init(revision: revision, index: index)
        // Reject other spellings of the same id, such as `+7.01`.
        guard description == text else { return nil }
    }
}

extension EffectID: Comparable {
    /// Returns a Boolean value indicating whether one piece of work began before another.
    package static func < (left: EffectID, right: EffectID) -> Bool {
        (left.revision, left.index) < (right.revision, right.index)
    }
}

extension EffectID: CustomStringConvertible {
    /// The id as text, such as `7.1`.
    package var description: String { "\(revision).\(index)" }
}

extension Effect {
    /// The effect's name, computed on first use.
    static var cachedName: String { Descriptions.shared.value(of: Self.self) { name } }

    /// Runs the effect, whose output may have at most `limit` bytes of JSON, and returns its outcome.
    func outcome(with services: any Sendable, id: String, limit: Int) async -> EffectOutcome {
        guard let services = services as? Services ?? NoServices() as? Services else {
            return .failure(.services(needed: Services.self, found: type(of: services)))
        }
        do {
            return try Self.outcome(of: try await run(EffectContext(services: services, id: id)), limit: limit)
        } catch {
            return Self.outcome(of: EffectFailure(error), limit: limit)
        }
    }

    /// Returns a result of `run` in the journal's form; a failure if the output has more than `limit` bytes of JSON.
    ///
    /// - Throws: `JSONError` if the output does not encode.
    package static func outcome(
        of result: Result<Output, EffectFailure>, limit: Int
    ) throws(JSONError) -> EffectOutcome {
        switch result {
        case .success(let output): try outcome(of: output, limit: limit)
        case .failure(let failure): outcome(of: failure, limit: limit)
        }
    }

    /// Decodes a result in the journal's form.
    ///
    /// - Throws: `Rejection` if the output has another shape.
    static func result(
        _ outcome: EffectOutcome, _ secrets: SecretLedger
    ) throws(Rejection) -> Result<Output, EffectFailure> {
        switch outcome {
        case .failure(let failure): return .failure(failure.withoutCause)
        case .success(let json):
            do throws(JSONError) {
                let output = try JSONDocument(parsing: json).root
                let source = SecretSource(part: .output, range: output.range, input: nil, translation: nil)
                do throws(JSONError) {
                    return .success(try secrets.decode(Output.self, output, from: source))
                } catch {
                    guard let migrated = try? secrets.decode(Migrated<Self>.self, output, from: source) else {
                        throw error
                    }
                    return .success(migrated.output)
                }
            } catch {
                throw Rejection(
                    .failed, "the output of the effect \"\(cachedName)\" does not decode", cause: "\(error)")
            }
        }
    }

    private static func outcome(of output: Output, limit: Int) throws(JSONError) -> EffectOutcome {
        var writer = JSONWriter()
        // The journal stores secrets unmasked. The places of the secrets are known only after the output is decoded.
        try writer.encodeRevealingSecrets(output)
        return writer.bytes.count > limit ? .failure(.tooLarge(limit: limit)) : .success(writer.bytes)
    }

    private static func outcome(of failure: EffectFailure, limit: Int) -> EffectOutcome {
        let isTooLarge = failure.code.utf8.count + failure.message.utf8.count > limit
        return .failure(isTooLarge ? .tooLarge(limit: limit) : failure)
    }
}

/// An output of an earlier build, converted to the present type.
private struct Migrated<E: Effect>: Decodable {
    let output: E.Output

    init(from decoder: any Decoder) throws { output = try E.migrate(decoder) }
}
