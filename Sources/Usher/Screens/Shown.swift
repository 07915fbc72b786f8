/// How a screen is shown.
enum Shown: String {
    /// The base of its stack.
    case root
    /// On top of another screen of the same stack.
    case push
}
