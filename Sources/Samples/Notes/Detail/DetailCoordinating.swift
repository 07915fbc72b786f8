/// The ways to leave a note's screen, which its view model calls.
protocol DetailCoordinating: AnyObject {
    func close()
    func showSub()
    func showDetail(of note: Note)
}
