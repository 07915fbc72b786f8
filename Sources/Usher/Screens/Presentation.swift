/// A screen as an author shows it: with its closure, and with the view model that goes with it.
struct Presentation<S: Screen> {
    let screen: S
    let viewModel: AnyObject?
    let origin: Origin
    let handler: TypedScreenInstance<S>.Handler
}
