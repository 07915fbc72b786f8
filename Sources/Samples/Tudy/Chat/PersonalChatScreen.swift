import Usher

/// A chat with one user, who can be invited into a group.
struct PersonalChatScreen: Screen {
    let chat: Chat

    enum Event: Codable, CaseIterable { case invite }
}
