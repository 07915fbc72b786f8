/// How the waking of a session ended.
enum Awakening: Sendable {
    case live(Sent<Live>)
    /// It was over already.
    case over(Tombstone)
    case failed(SessionError)

    /// What those who waited for it are told.
    var error: SessionError? {
        if case .failed(let error) = self { error } else { nil }
    }
}
