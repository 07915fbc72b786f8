/// The exits of the list, as its view model uses them.
protocol MainCoordinating: AnyObject {
    func showDetail(of note: Note)
    func showSettings()
}
