/// Does the work that the home coordinator leaves to its parent.
///
/// The delegate is not called when the home coordinator ends: the home stays when another tab is shown.
protocol HomeCoordinatorDelegate: AnyObject {
    /// Shows the chat with a project's writer.
    func showPersonalChat(with writer: User)

    /// Called when the user has logged out.
    func didLogOut()
}
