/// The controllers that represent one controller in a stack of the engine, compared with the previous ones.
@MainActor
struct ShownControllers {
    private let former: [UIViewController]
    /// The number of controllers at the bottom that are the same as before.
    private(set) var kept = 0
    /// The controllers above the kept ones, bottom to top.
    private(set) var added: [UIViewController] = []

    /// Creates an empty list.
    ///
    /// - Parameter former: The previous controllers of the stack, bottom to top.
    init(after former: [UIViewController]) {
        self.former = former
    }

    /// Puts a controller on top.
    mutating func append(_ controller: UIViewController) {
        if added.isEmpty, kept < former.count, former[kept] === controller {
            kept += 1
        } else {
            added.append(controller)
        }
    }
}
