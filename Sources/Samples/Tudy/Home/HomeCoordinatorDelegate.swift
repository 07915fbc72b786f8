/// Does for the home coordinator what is not its own.
///
/// Not the work of finishing: home stays where it is when another tab is shown.
protocol HomeCoordinatorDelegate: AnyObject {
    /// Shows the chat with a project's writer.
    func showPersonalChat(with writer: User)

    /// Is told that the user has logged out.
    func didLogOut()
}
