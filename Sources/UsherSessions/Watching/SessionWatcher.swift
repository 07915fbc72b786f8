/// Somebody who is shown a session's states as they are kept, in the order of their revisions.
///
/// Both methods are called under the session's lock: they must not wait, and not use the session.
package protocol SessionWatcher: AnyObject, Sendable {
    /// The session has a new state.
    func see(_ sighting: Sighting)

    /// The session is over; nothing more comes.
    func seeEnd()
}
