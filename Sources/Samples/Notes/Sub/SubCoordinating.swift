/// The exits of the lowest screen, as its view model uses them.
protocol SubCoordinating: AnyObject {
    func close()
    func goHome()
}
