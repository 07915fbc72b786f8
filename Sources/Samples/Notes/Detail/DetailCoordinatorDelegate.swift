/// What a note's coordinator asks its parent for: another note is not its own to show.
protocol DetailCoordinatorDelegate: AnyObject {
    func showDetail(of note: Note)
}
