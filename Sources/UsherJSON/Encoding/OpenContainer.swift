/// A container that an encoding has begun.
struct OpenContainer {
    /// The value that the container is of.
    let owner: Int
    let isObject: Bool
    /// Whether the members have no order of their own.
    let isDictionary: Bool
    /// Where in the writer's bytes it begins.
    let start: Int
    var count = 0
}
