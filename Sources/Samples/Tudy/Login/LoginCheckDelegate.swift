/// Shows the login for a coordinator that needs a user.
protocol LoginCheckDelegate: AnyObject {
    /// Presents the login over all screens.
    func prepareLogin() throws
}
