import UIKit

/// A controller that shows a chat.
@MainActor
protocol ChatShowing: UIViewController {
    var chat: Chat { get }
}

enum ChatListEvent: Codable {
    case showChat(chat: Chat)
    case showLogin
}

final class ChatListViewController: EventViewController<ChatListEvent> {
    let store: Store

    init(store: Store) {
        self.store = store
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}

enum PersonalChatEvent: Codable, CaseIterable {
    case invite
}

final class PersonalChatViewController: EventViewController<PersonalChatEvent> {
    let chat: Chat

    init(chat: Chat) {
        self.chat = chat
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}

enum InviteEvent: Codable {
    case pick(group: Chat)
    case close
}

final class InviteViewController: EventViewController<InviteEvent> {
    let store: Store

    init(store: Store) {
        self.store = store
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}

final class GroupChatViewController: UIViewController {
    let chat: Chat

    init(chat: Chat) {
        self.chat = chat
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}

extension PersonalChatViewController: ChatShowing {}

extension GroupChatViewController: ChatShowing {}
