/// A search for the way from an object to another over what each holds: stored properties, elements, payloads.
///
/// A path may lead through values that closures have captured. If captures cannot be read, the closures are named.
package struct ObjectGraphSearch {
    private struct Step {
        let value: Any
        let path: String
    }

    /// The ways to go on from a value.
    package enum Continuation {
        /// Its own properties are looked at.
        case enter
        /// They are not.
        case pass
        /// Nothing is looked at any more.
        case end
    }

    private let isOpaque: (Any.Type) -> Bool
    /// More values than these are not looked at.
    package static let limit = 10_000

    /// Makes a search.
    ///
    /// - Parameter isOpaque: Types whose own properties are not looked into.
    package init(isOpaque: @escaping (Any.Type) -> Bool = { _ in false }) {
        self.isOpaque = isOpaque
    }

    /// The path from a holder to an object, such as `MainCoordinator.details[0].onClose → captured MainCoordinator`.
    ///
    /// - Parameters:
    ///   - holder: Where to begin. It may be the object itself: then the path is the cycle that keeps it.
    ///   - object: What is looked for.
    ///   - throughClosures: Whether the path may lead through values that closures have captured.
    /// - Returns: The shortest path; nil where there is none.
    package func path(from holder: AnyObject, to object: AnyObject, throughClosures: Bool = false) -> String? {
        walk(from: holder, throughClosures: throughClosures) { step in
            Self.object(step.value).map { $0 === object } ?? false
        }
    }

    /// The paths to the nearest closures that an object holds.
    ///
    /// - Parameters:
    ///   - holder: Where to begin.
    ///   - count: How many at most.
    package func closures(in holder: AnyObject, atMost count: Int = 4) -> [String] {
        var paths: [String] = []
        _ = walk(from: holder) { step in
            if Self.isClosure(step.value) { paths.append(step.path) }
            return paths.count == count
        }
        return paths
    }

    /// Walks through what an object holds, nearest first, each object once.
    ///
    /// - Parameters:
    ///   - holder: Where to begin.
    ///   - visit: Is given each value with its path, the holder's type first; says how to go on.
    /// - Returns: False if it ended at the limit, so that nothing is known of what lies behind.
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

    /// True if more than the limit can be reached from an object, so that a path that was not found may be there.
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
        // An arrow, byte by byte: searching a string for a string would link the engine of regular expressions.
        let name = String(reflecting: type(of: value)).utf8
        return zip(name, name.dropFirst()).contains { $0 == UInt8(ascii: "-") && $1 == UInt8(ascii: ">") }
    }

    /// The value where it is an instance of a class; a struct is not boxed into one.
    package static func object(_ value: Any) -> AnyObject? {
        type(of: value) is AnyClass ? value as AnyObject : nil
    }
}
