/// The ways out of a note, as its view model knows them.
protocol DetailCoordinating: AnyObject {
    func close()
    func showSub()
    func showDetail(of note: Note)
}
