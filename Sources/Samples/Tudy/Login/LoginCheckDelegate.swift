/// Asks for a login on behalf of a coordinator that has met a guest.
protocol LoginCheckDelegate: AnyObject {
    /// Shows the login over everything.
    func prepareLogin() throws
}
