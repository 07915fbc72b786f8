/// Where a screen comes to stand.
struct Placement {
    let id: Int
    /// The coordinator that shows it.
    let owner: AnyCoordinator
    let shown: Shown
    /// Where its closure was given.
    let origin: Origin
}
