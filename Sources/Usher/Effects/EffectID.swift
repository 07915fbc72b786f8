/// The name of pending work within its session, such as `7.1`.
public struct EffectID: Hashable, Sendable {
    /// The revision of the input that began it.
    public let revision: Int
    /// Its place among those that this input began, from 1.
    public let index: Int

    /// Makes a name.
    ///
    /// - Parameters:
    ///   - revision: The revision of the input that began it.
    ///   - index: Its place among those that this input began, from 1.
    public init(revision: Int, index: Int) {
        self.revision = revision
        self.index = index
    }

    /// Reads a name.
    ///
    /// - Parameter text: Two positive numbers with a point between; anything else is no name.
    public init?(_ text: String) {
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
    public static func < (left: EffectID, right: EffectID) -> Bool {
        (left.revision, left.index) < (right.revision, right.index)
    }
}

extension EffectID: CustomStringConvertible {
    /// Such as `7.1`.
    public var description: String { "\(revision).\(index)" }
}
