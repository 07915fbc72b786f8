/// The scalars that the recording decoder returns.
package struct SampleScalars: Sendable {
    /// The value of every string.
    let text: String
    /// The value of every number.
    let number: Int

    /// Creates scalars, by default an empty string and 0.
    package init(text: String = "", number: Int = 0) {
        self.text = text
        self.number = number
    }

    /// The scalars to try in turn, for types that validate their values.
    static let all = [
        SampleScalars(), SampleScalars(text: "1", number: 1), SampleScalars(text: "a", number: 2),
        SampleScalars(text: "2026-01-01T00:00:00Z", number: 10), SampleScalars(text: "https://a.example/", number: 100),
        SampleScalars(text: "00000000-0000-4000-8000-000000000000", number: 1_000),
    ]
}

/// A type whose values are scalars of JSON.
protocol ScalarValue {
    static var schema: JSONSchema { get }

    init(_ sample: SampleScalars)
}

extension Bool: ScalarValue {
    static var schema: JSONSchema { .boolean }

    init(_ sample: SampleScalars) { self = false }
}

extension String: ScalarValue {
    static var schema: JSONSchema { .string }

    init(_ sample: SampleScalars) { self = sample.text }
}

extension ScalarValue where Self: BinaryFloatingPoint {
    static var schema: JSONSchema { .number }

    init(_ sample: SampleScalars) { self = Self(sample.number) }
}

extension ScalarValue where Self: FixedWidthInteger {
    static var schema: JSONSchema { .integer(bits: bitWidth, isSigned: isSigned) }

    init(_ sample: SampleScalars) { self.init(truncatingIfNeeded: sample.number) }
}

extension Double: ScalarValue {}
extension Float: ScalarValue {}
extension Int: ScalarValue {}
extension Int8: ScalarValue {}
extension Int16: ScalarValue {}
extension Int32: ScalarValue {}
extension Int64: ScalarValue {}
extension UInt: ScalarValue {}
extension UInt8: ScalarValue {}
extension UInt16: ScalarValue {}
extension UInt32: ScalarValue {}
extension UInt64: ScalarValue {}

/// A type whose schema is made of other types' schemas, and that can provide a value without decoding.
package protocol CompositeValue {
    /// Returns the schema of the type.
    static func schema(in recorder: SchemaRecorder) -> JSONSchema

    /// Returns a value of the type, or nil if there is none.
    static func sample(in recorder: SchemaRecorder) -> Self?
}

extension Optional: CompositeValue {
    package static func schema(in recorder: SchemaRecorder) -> JSONSchema {
        let wrapped = recorder.nestedSchema(of: Wrapped.self)
        if case .optional = wrapped { return wrapped }
        return .optional(wrapped)
    }

    package static func sample(in recorder: SchemaRecorder) -> Self? { .some(.none) }
}

extension Array: CompositeValue {
    package static func schema(in recorder: SchemaRecorder) -> JSONSchema {
        .array(recorder.nestedSchema(of: Element.self))
    }

    package static func sample(in recorder: SchemaRecorder) -> Self? { [] }
}

extension Set: CompositeValue {
    package static func schema(in recorder: SchemaRecorder) -> JSONSchema {
        .array(recorder.nestedSchema(of: Element.self))
    }

    package static func sample(in recorder: SchemaRecorder) -> Self? { [] }
}

extension Dictionary: CompositeValue {
    /// Returns an object if the keys can be names, otherwise an array of alternating keys and values.
    package static func schema(in recorder: SchemaRecorder) -> JSONSchema {
        guard Key.self is any CodingKeyRepresentable.Type else { return .array(.anything) }
        return .map(recorder.nestedSchema(of: Value.self))
    }

    package static func sample(in recorder: SchemaRecorder) -> Self? { [:] }
}
