import UsherReflection

/// A decoder without data, which records what a type decodes and returns made-up values.
struct RecordingDecoder: Decoder {
    private let recorder: SchemaRecorder
    private let recording: Recording
    private let sample: SampleScalars

    init(_ recorder: SchemaRecorder, _ recording: Recording, _ sample: SampleScalars) {
        self.recorder = recorder
        self.recording = recording
        self.sample = sample
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        recording.openObject()
        return KeyedDecodingContainer(RecordedObject<Key>(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        recording.openArray()
        return RecordedArray(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { RecordedSingle(decoder: self) }

    private func nested(_ recording: Recording) -> RecordingDecoder {
        RecordingDecoder(recorder, recording, sample)
    }

    private struct RecordedObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: RecordingDecoder

        var codingPath: [any CodingKey] { [] }

        /// The key of one case if the type is an enum, because the compiler's coding requires exactly one key.
        var allKeys: [Key] {
            guard let keys = TypeShape.values(of: Key.self) else { return [] }
            return [keys[decoder.recording.list(cases: keys.map(\.stringValue))]]
        }

        func contains(_ key: Key) -> Bool {
            decoder.recording.noteOptional(key.stringValue)
            return true
        }

        func decodeNil(forKey key: Key) -> Bool {
            decoder.recording.noteOptional(key.stringValue)
            return false
        }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            decoder.recording.note(key.stringValue, decoder.recorder.nestedSchema(of: type))
            return try decoder.recorder.value(of: type, decoder.sample)
        }

        func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
            decoder.recording.noteOptional(key.stringValue)
            decoder.recording.note(key.stringValue, decoder.recorder.nestedSchema(of: type))
            return nil
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedDecodingContainer<Nested> {
            within(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { within(key).unkeyedContainer() }
        func superDecoder() -> any Decoder { decoder.nested(decoder.recording.nested("super")) }
        func superDecoder(forKey key: Key) -> any Decoder { within(key) }

        private func within(_ key: Key) -> RecordingDecoder {
            decoder.nested(decoder.recording.nested(key.stringValue))
        }
    }

    /// The unkeyed container, which has one element for a loop until `isAtEnd`, and more for explicit calls.
    private struct RecordedArray: UnkeyedDecodingContainer {
        let decoder: RecordingDecoder

        var codingPath: [any CodingKey] { [] }
        var count: Int? { nil }
        var currentIndex: Int { decoder.recording.elementCount }
        var isAtEnd: Bool { currentIndex > 0 }

        func decodeNil() -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try checkLength()
            decoder.recording.noteElement(decoder.recorder.nestedSchema(of: type))
            return try decoder.recorder.value(of: type, decoder.sample)
        }

        func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            try within().container(keyedBy: type)
        }

        func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try within().unkeyedContainer() }
        func superDecoder() throws -> any Decoder { try within() }

        private func within() throws -> RecordingDecoder {
            try checkLength()
            return decoder.nested(decoder.recording.nestedElement())
        }

        /// Throws an error after 16 elements, to stop a loop that decodes until an error.
        private func checkLength() throws {
            guard currentIndex < 16 else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: [], debugDescription: "there are no more elements"))
            }
        }
    }

    /// The single-value container, for types that wrap another.
    private struct RecordedSingle: SingleValueDecodingContainer {
        let decoder: RecordingDecoder

        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool {
            decoder.recording.noteNullable()
            return false
        }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            decoder.recording.noteSingle(decoder.recorder.nestedSchema(of: type))
            return try decoder.recorder.value(of: type, decoder.sample)
        }
    }
}
