/// The part of a note's coordinator that its parent does: another note is not its own to show.
protocol DetailCoordinatorDelegate: AnyObject {
    func showDetail(of note: Note)
}
