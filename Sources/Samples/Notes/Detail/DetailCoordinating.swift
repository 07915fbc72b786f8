/// Where a note leads, as its view model knows it.
protocol DetailCoordinating: AnyObject {
    func close()
    func showSub()
    func showDetail(of note: Note)
}
