import Usher

struct GroupChatScreen: Screen {
    let chat: Chat
}
