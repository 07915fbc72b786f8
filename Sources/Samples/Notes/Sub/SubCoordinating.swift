/// The ways out of the lowest screen, as its view model knows them.
protocol SubCoordinating: AnyObject {
    func close()
    func goHome()
}
