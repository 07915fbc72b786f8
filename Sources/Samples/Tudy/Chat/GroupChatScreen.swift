import Usher

/// A chat of a group.
struct GroupChatScreen: Screen {
    let chat: Chat
}
