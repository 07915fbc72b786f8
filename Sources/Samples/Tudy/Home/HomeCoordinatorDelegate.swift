/// Does the work that the home coordinator leaves to its parent.
///
/// It does not receive the coordinator's end: the home stays when another tab is shown.
protocol HomeCoordinatorDelegate: AnyObject {
    /// Shows the chat with a project's writer.
    func showPersonalChat(with writer: User)

    /// Called when the user has logged out.
    func didLogOut()
}
