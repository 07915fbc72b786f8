/// What subscribers are and receive.
public enum Subscribers {
    /// The end of a publisher.
    public enum Completion<Failure: Error> {
        /// It has no further values.
        case finished
        /// It failed.
        case failure(Failure)
    }

    /// A number of values that a subscriber requests.
    public struct Demand: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
        /// The number; nil if there is no limit.
        public let max: Int?

        /// As many values as there are.
        public static let unlimited = Demand(max: nil)
        /// No value.
        public static let none = Demand(max: 0)

        private init(max: Int?) {
            self.max = max
        }

        /// Returns a number of values; none if the number is negative.
        public static func max(_ value: Int) -> Demand { Demand(max: Swift.max(0, value)) }

        /// Adds up two numbers.
        public static func + (left: Demand, right: Demand) -> Demand {
            guard let one = left.max, let other = right.max else { return .unlimited }
            let (sum, isBeyond) = one.addingReportingOverflow(other)
            return isBeyond ? .unlimited : .max(sum)
        }

        /// Subtracts a number; never below none, and without effect if there is no limit.
        public static func - (left: Demand, right: Demand) -> Demand {
            guard let one = left.max else { return .unlimited }
            guard let other = right.max else { return .none }
            return .max(one > other ? one - other : 0)
        }

        /// Multiplies the number; none if the factor is negative.
        public static func * (left: Demand, right: Int) -> Demand {
            guard let one = left.max else { return .unlimited }
            let (product, isBeyond) = one.multipliedReportingOverflow(by: Swift.max(0, right))
            return isBeyond ? .unlimited : .max(product)
        }

        /// Adds values.
        public static func + (left: Demand, right: Int) -> Demand { left + .max(right) }

        /// Subtracts values.
        public static func - (left: Demand, right: Int) -> Demand { left - .max(right) }

        /// Adds a number.
        public static func += (left: inout Demand, right: Demand) { left = left + right }

        /// Adds values.
        public static func += (left: inout Demand, right: Int) { left = left + right }

        /// Subtracts a number.
        public static func -= (left: inout Demand, right: Demand) { left = left - right }

        /// Subtracts values.
        public static func -= (left: inout Demand, right: Int) { left = left - right }

        /// Multiplies the number.
        public static func *= (left: inout Demand, right: Int) { left = left * right }

        /// Returns a Boolean value indicating whether one number is smaller.
        public static func < (left: Demand, right: Demand) -> Bool {
            guard let one = left.max else { return false }
            return right.max.map { one < $0 } ?? true
        }

        /// Returns a Boolean value indicating whether the number is the same.
        public static func == (left: Demand, right: Int) -> Bool { left.max == right }

        /// Returns a Boolean value indicating whether the number is larger.
        public static func > (left: Demand, right: Int) -> Bool { left.max.map { $0 > right } ?? true }

        /// The number as text.
        public var description: String { max.map { "max(\($0))" } ?? "unlimited" }
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
extension Subscribers.Completion: Sendable {}

extension Subscribers.Completion {
    /// The same end with another error.
    func mapFailure<Reason: Error>(_ transform: (Failure) -> Reason) -> Subscribers.Completion<Reason> {
        switch self {
        case .finished: .finished
        case .failure(let failure): .failure(transform(failure))
        }
    }
}
