/// The connection that sends a streamed body, as far as the stream has to do with it.
///
/// Both are called under the stream's lock, so that no `resume` comes before its `suspend`, and whoever finds the stream
/// over finds its reader resumed. They must not call the stream.
package protocol BodyReader: Sendable {
    /// Reads no more until it is resumed.
    func suspend()

    /// Goes on to read; may be called on any thread.
    func resume()
}
