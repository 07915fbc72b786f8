/// The ways out of the list, as its view model knows them.
protocol MainCoordinating: AnyObject {
    func showDetail(of note: Note)
    func showSettings()
}
