import Usher

/// A group chat.
struct GroupChatScreen: Screen {
    let chat: Chat
}
