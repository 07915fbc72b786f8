/// The work that a note's coordinator leaves to its parent: showing another note.
protocol DetailCoordinatorDelegate: AnyObject {
    func showDetail(of note: Note)
}
