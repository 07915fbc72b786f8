/// A namespace for the types that subscribers use.
public enum Subscribers {
    /// The end of a publisher.
    public enum Completion<Failure: Error> {
        /// The publisher has no further values.
        case finished
        /// The publisher failed.
        case failure(Failure)
    }

    /// A number of values that a subscriber requests.
    public struct Demand: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
        /// The number; nil if there is no limit.
        public let max: Int?

        /// A demand for all values.
        public static let unlimited = Demand(max: nil)
        /// A demand for no values.
        public static let none = Demand(max: 0)

        private init(max: Int?) {
            self.max = max
        }

        /// Returns a demand of some values; zero if the number is negative.
        public static func max(_ value: Int) -> Demand { Demand(max: Swift.max(0, value)) }

        /// Returns the sum of two demands.
        public static func + (left: Demand, right: Demand) -> Demand {
            guard let one = left.max, let other = right.max else { return .unlimited }
            let (sum, isBeyond) = one.addingReportingOverflow(other)
            return isBeyond ? .unlimited : .max(sum)
        }

        /// Returns the difference of two demands, which is at least zero; an unlimited demand stays unlimited.
        public static func - (left: Demand, right: Demand) -> Demand {
            guard let one = left.max else { return .unlimited }
            guard let other = right.max else { return .none }
            return .max(one > other ? one - other : 0)
        }

        /// Returns a multiple of a demand; zero if the factor is negative.
        public static func * (left: Demand, right: Int) -> Demand {
            guard let one = left.max else { return .unlimited }
            let (product, isBeyond) = one.multipliedReportingOverflow(by: Swift.max(0, right))
            return isBeyond ? .unlimited : .max(product)
        }

        /// Returns the demand with a number of values added.
        public static func + (left: Demand, right: Int) -> Demand { left + .max(right) }

        /// Returns the demand with a number of values subtracted.
        public static func - (left: Demand, right: Int) -> Demand { left - .max(right) }

        /// Adds a demand.
        public static func += (left: inout Demand, right: Demand) { left = left + right }

        /// Adds a number of values.
        public static func += (left: inout Demand, right: Int) { left = left + right }

        /// Subtracts a demand.
        public static func -= (left: inout Demand, right: Demand) { left = left - right }

        /// Subtracts a number of values.
        public static func -= (left: inout Demand, right: Int) { left = left - right }

        /// Multiplies the demand.
        public static func *= (left: inout Demand, right: Int) { left = left * right }

        /// Returns a Boolean value indicating whether one demand is smaller than another.
        public static func < (left: Demand, right: Demand) -> Bool {
            guard let one = left.max else { return false }
            return right.max.map { one < $0 } ?? true
        }

        /// Returns a Boolean value indicating whether the demand equals a number of values.
        public static func == (left: Demand, right: Int) -> Bool { left.max == right }

        /// Returns a Boolean value indicating whether the demand is larger than a number of values.
        public static func > (left: Demand, right: Int) -> Bool { left.max.map { $0 > right } ?? true }

        /// The number as text.
        public var description: String { max.map { "max(\($0))" } ?? "unlimited" }
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
extension Subscribers.Completion: Sendable {}

extension Subscribers.Completion {
    func mapFailure<Reason: Error>(_ transform: (Failure) -> Reason) -> Subscribers.Completion<Reason> {
        switch self {
        case .finished: .finished
        case .failure(let failure): .failure(transform(failure))
        }
    }
}
