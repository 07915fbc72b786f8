/// The ways to leave the list, which its view model calls.
protocol MainCoordinating: AnyObject {
    func showDetail(of note: Note)
    func showSettings()
}
