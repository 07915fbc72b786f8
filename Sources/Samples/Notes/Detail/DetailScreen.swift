import Usher

/// One note.
struct DetailScreen: Screen {
    enum Event: Codable { case close, showSub, showDetail(id: Int) }
    static let examples: [Event] = [.close, .showSub, .showDetail(id: 2)]

    let note: Note
}
