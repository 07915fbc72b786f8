package import UsherJSON

/// The outcome of an effect, as the journal has it.
package enum EffectOutcome: Sendable {
    /// The output as JSON.
    case success([UInt8])
    /// Why there is no output.
    case failure(EffectFailure)
}

/// The name of pending work within its session, such as `7.1`.
package struct EffectID: Hashable, Sendable {
    /// The revision of the input that began it.
    package let revision: Int
    /// Its place among those that this input began, from 1.
    package let index: Int

    /// Makes a name.
    ///
    /// - Parameters:
    ///   - revision: The revision of the input that began it.
    ///   - index: Its place among those that this input began, from 1.
    package init(revision: Int, index: Int) {
        self.revision = revision
        self.index = index
    }

    /// Reads a name.
    ///
    /// - Parameter text: Two positive numbers with a point between; anything else is no name.
    package init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let revision = numbers[0], let index = numbers[1], revision > 0, index > 0 else {
            return nil
        }
        self.init(revision: revision, index: index)
        // `+7.01` would be another name for the same.
        guard description == text else { return nil }
    }
}

extension EffectID: Comparable {
    /// The order in which they began.
    package static func < (left: EffectID, right: EffectID) -> Bool {
        (left.revision, left.index) < (right.revision, right.index)
    }
}

extension EffectID: CustomStringConvertible {
    /// Such as `7.1`.
    package var description: String { "\(revision).\(index)" }
}

extension Effect {
    /// The name, made at its first use.
    static var cachedName: String { Descriptions.shared.value(of: Self.self) { name } }

    /// Runs the effect.
    ///
    /// - Parameters:
    ///   - services: What the app's `services()` made.
    ///   - id: The name under which it runs.
    ///   - limit: How many bytes of JSON its output may have.
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

    /// A result as the journal keeps it.
    ///
    /// - Parameters:
    ///   - result: What `run` has led to.
    ///   - limit: How many bytes of JSON the output may have.
    /// - Throws: `JSONError` for an output that does not encode.
    package static func outcome(
        of result: Result<Output, EffectFailure>, limit: Int
    ) throws(JSONError) -> EffectOutcome {
        switch result {
        case .success(let output): try outcome(of: output, limit: limit)
        case .failure(let failure): outcome(of: failure, limit: limit)
        }
    }

    /// Reads a result back.
    ///
    /// - Parameters:
    ///   - outcome: The result as the journal keeps it.
    ///   - secrets: The account of the secrets in it.
    /// - Throws: `Rejection` for an output of another shape.
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
        // The journal keeps secrets as they are, and knows where they stand once the output is decoded.
        try writer.encodeRevealingSecrets(output)
        return writer.bytes.count > limit ? .failure(.tooLarge(limit: limit)) : .success(writer.bytes)
    }

    private static func outcome(of failure: EffectFailure, limit: Int) -> EffectOutcome {
        let isTooLarge = failure.code.utf8.count + failure.message.utf8.count > limit
        return .failure(isTooLarge ? .tooLarge(limit: limit) : failure)
    }
}

/// An output that an earlier build has recorded.
private struct Migrated<E: Effect>: Decodable {
    let output: E.Output

    init(from decoder: any Decoder) throws { output = try E.migrate(decoder) }
}
