/// Where the lowest screen leads, as its view model knows it.
protocol SubCoordinating: AnyObject {
    func close()
    func goHome()
}
