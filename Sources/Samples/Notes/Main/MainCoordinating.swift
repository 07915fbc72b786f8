/// Where the list leads, as its view model knows it.
protocol MainCoordinating: AnyObject {
    func showDetail(of note: Note)
    func showSettings()
}
