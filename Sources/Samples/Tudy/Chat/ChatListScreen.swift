import Usher

struct ChatListScreen: Screen {
    var chats: [Chat]

    enum Event: Codable { case showChat(chat: Chat), showLogin }
    static let examples: [Event] = [.showChat(chat: .withLee), .showLogin]
}
