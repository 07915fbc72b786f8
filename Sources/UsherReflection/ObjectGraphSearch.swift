/// A search for the path from one object to another, through stored properties, elements and payloads.
///
/// A path may lead through values that closures have captured. If captures cannot be read, the path names the closures.
package struct ObjectGraphSearch {
    private struct Step {
        let value: Any
        let path: String
    }

    /// The ways in which a search continues from a value.
    package enum Continuation {
        /// Visits the value's properties.
        case enter
        /// Skips the value's properties.
        case pass
        case end
    }

    private let isOpaque: (Any.Type) -> Bool
    /// The maximum number of visited values.
    package static let limit = 10_000

    /// Creates a search, which skips the own properties of opaque types.
    package init(isOpaque: @escaping (Any.Type) -> Bool = { _ in false }) {
        self.isOpaque = isOpaque
    }

    /// Returns the path between two objects, such as `MainCoordinator.details[0].onClose → captured MainCoordinator`.
    ///
    /// - Parameters:
    ///   - holder: The start. The start may be the object itself; the path is then the cycle that retains the object.
    ///   - object: The object to find.
    ///   - throughClosures: Whether the path may lead through values that closures have captured.
    /// - Returns: The shortest path; nil if there is no path.
    package func path(from holder: AnyObject, to object: AnyObject, throughClosures: Bool = false) -> String? {
        walk(from: holder, throughClosures: throughClosures) { step in
            Self.object(step.value).map { $0 === object } ?? false
        }
    }

    /// Returns the paths to the nearest closures that an object holds, `count` at most.
    package func closures(in holder: AnyObject, atMost count: Int = 4) -> [String] {
        var paths: [String] = []
        _ = walk(from: holder) { step in
            if Self.isClosure(step.value) { paths.append(step.path) }
            return paths.count == count
        }
        return paths
    }

    /// Visits the values that an object holds, nearest first, each object once.
    ///
    /// - Parameters:
    ///   - holder: The start.
    ///   - visit: Called with each value and its path, which starts with the holder's type; returns how to continue.
    /// - Returns: `false` if the search ended at the limit, so that the rest is unknown.
    @discardableResult
    package func visit(from holder: AnyObject, _ visit: (_ value: Any, _ path: String) -> Continuation) -> Bool {
        self.visit(from: holder, throughClosures: false, visit)
    }

    private func visit(
        from holder: AnyObject, throughClosures: Bool, _ visit: (_ value: Any, _ path: String) -> Continuation
    ) -> Bool {
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(holder)]
        var queue = [Step(value: holder, path: "\(type(of: holder))")]
        var (next, count) = (0, 0)
        while next < queue.count {
            let current = queue[next]
            next += 1
            var properties = StoredProperty.all(of: current.value, isOpaque: isOpaque)
            if throughClosures { properties += StoredProperty.captures(of: current.value) }
            for property in properties {
                count += 1
                guard count < Self.limit else { return false }
                let step = Step(value: property.value, path: current.path + property.access)
                let continuation = visit(step.value, step.path)
                if continuation == .end { return true }
                if let object = Self.object(step.value), !seen.insert(ObjectIdentifier(object)).inserted { continue }
                if continuation == .enter, HoldingTypes.contain(type(of: step.value)) { queue.append(step) }
            }
        }
        return true
    }

    /// Returns `true` if the values of an object exceed the limit, so that a path may exist that was not found.
    package func reachesLimit(from holder: AnyObject) -> Bool {
        !visit(from: holder) { _, _ in .enter }
    }

    private func walk(
        from holder: AnyObject, throughClosures: Bool = false, until isFound: (Step) -> Bool
    ) -> String? {
        var path: String?
        _ = visit(from: holder, throughClosures: throughClosures) { value, place in
            guard isFound(Step(value: value, path: place)) else { return .enter }
            path = place
            return .end
        }
        return path
    }

    private static func isClosure(_ value: Any) -> Bool {
        guard Mirror(reflecting: value).displayStyle == nil else { return false }
        // Searches byte by byte, because searching a string for a string would link the engine of regular expressions.
        let name = String(reflecting: type(of: value)).utf8
        return zip(name, name.dropFirst()).contains { $0 == UInt8(ascii: "-") && $1 == UInt8(ascii: ">") }
    }

    /// Returns the value if it is an instance of a class; does not box a struct.
    package static func object(_ value: Any) -> AnyObject? {
        type(of: value) is AnyClass ? value as AnyObject : nil
    }
}
