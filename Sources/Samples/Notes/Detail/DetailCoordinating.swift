/// The exits of a note, as its view model uses them.
protocol DetailCoordinating: AnyObject {
    func close()
    func showSub()
    func showDetail(of note: Note)
}
