/// What a journal's file is opened for.
package enum Purpose: Sendable {
    /// To serve sessions: a file that is missing is made.
    case serving
    /// To look at it: a file that is missing is an error, and nothing is changed.
    case inspecting
}
