/// The ways to leave the lowest screen, which its view model calls.
protocol SubCoordinating: AnyObject {
    func close()
    func goHome()
}
