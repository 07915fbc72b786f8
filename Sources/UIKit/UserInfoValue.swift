package import UsherSchema

extension UIKitCoordinator {
    /// A value of a notification's `userInfo`, which is any JSON.
    ///
    /// ```swift
    /// app.open(Flow.notification(userInfo: ["order_id": 7, "aps": ["badge": 1]]))
    /// ```
    public enum UserInfoValue: Codable, Equatable, Sendable {
        /// A null, which the app gets as `NSNull`.
        case null
        /// A Boolean value.
        case boolean(Bool)
        /// A whole number.
        case integer(Int)
        /// Any other number.
        case number(Double)
        /// A text.
        case string(String)
        /// An array.
        case array([UserInfoValue])
        /// An object.
        case object([String: UserInfoValue])

        /// Decodes any JSON.
        ///
        /// - Throws: A `DecodingError` if a number is larger than the largest `Double`.
        public init(from decoder: any Decoder) throws {
            let single = try decoder.singleValueContainer()
            if let text = try? single.decode(String.self) {
                self = .string(text)
            } else if let number = try? single.decode(Int.self) {
                self = .integer(number)
            } else if let boolean = try? single.decode(Bool.self) {
                self = .boolean(boolean)
            } else if single.decodeNil() {
                self = .null
            } else if let names = try? decoder.container(keyedBy: Name.self) {
                var members: [String: UserInfoValue] = [:]
                for name in names.allKeys {
                    members[name.stringValue] = try names.decode(UserInfoValue.self, forKey: name)
                }
                self = .object(members)
            } else if var elements = try? decoder.unkeyedContainer() {
                var array: [UserInfoValue] = []
                while !elements.isAtEnd { array.append(try elements.decode(UserInfoValue.self)) }
                self = .array(array)
            } else {
                self = .number(try single.decode(Double.self))
            }
        }

        /// Encodes the JSON.
        public func encode(to encoder: any Encoder) throws {
            var single = encoder.singleValueContainer()
            switch self {
            case .null: try single.encodeNil()
            case .boolean(let value): try single.encode(value)
            case .integer(let value): try single.encode(value)
            case .number(let value): try single.encode(value)
            case .string(let value): try single.encode(value)
            case .array(let value): try single.encode(value)
            case .object(let value): try single.encode(value)
            }
        }

        /// The value as Foundation decodes JSON: numbers are `NSNumber`, which casts to `Int`, `Double` and `Bool`.
        var foundation: Any {
            switch self {
            case .null: NSNull()
            case .boolean(let value): NSNumber(value: value)
            case .integer(let value): NSNumber(value: value)
            case .number(let value): NSNumber(value: value)
            case .string(let value): value
            case .array(let value): value.map(\.foundation)
            case .object(let value): value.mapValues(\.foundation)
            }
        }

        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }

            init?(intValue: Int) { nil }
        }
    }
}

extension UIKitCoordinator.UserInfoValue: CompositeValue {
    package static func schema(in recorder: SchemaRecorder) -> JSONSchema { .anything }

    package static func sample(in recorder: SchemaRecorder) -> Self? { .null }
}

extension UIKitCoordinator.UserInfoValue: ExpressibleByStringLiteral {
    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension UIKitCoordinator.UserInfoValue: ExpressibleByIntegerLiteral {
    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension UIKitCoordinator.UserInfoValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension UIKitCoordinator.UserInfoValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension UIKitCoordinator.UserInfoValue: ExpressibleByNilLiteral {
    /// Creates a null.
    public init(nilLiteral: ()) { self = .null }
}

extension UIKitCoordinator.UserInfoValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: UIKitCoordinator.UserInfoValue...) { self = .array(elements) }
}

extension UIKitCoordinator.UserInfoValue: ExpressibleByDictionaryLiteral {
    /// Creates an object; of two members with the same name, the last counts.
    public init(dictionaryLiteral elements: (String, UIKitCoordinator.UserInfoValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
