import Usher

/// The list of all notes.
struct MainScreen: Screen {
    enum Event: Codable { case showDetail(id: Int), showSettings }
    static let examples: [Event] = [.showDetail(id: 2), .showSettings]

    let notes: [Note]
    /// The note whose detail was closed last.
    var lastRead: Int?
}
