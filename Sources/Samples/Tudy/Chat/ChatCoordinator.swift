import Usher

/// Shows the chats; at most one of them is open.
final class ChatCoordinator: Coordinator<Never> {
    weak var loginDelegate: (any LoginCheckDelegate)?

    private var chats = Chat.all { didSet { list?.update { $0.chats = chats } } }
    private var list: Handle<ChatListScreen>?
    private var personalChat: Handle<PersonalChatScreen>?
    private var groupChat: Handle<GroupChatScreen>?

    override func start() {
        list = push(ChatListScreen(chats: chats)) { me, event in
            switch event {
            case .showChat(let chat): try me.showChat(chat.id)
            case .showLogin: try me.loginDelegate?.prepareLogin()
            }
        }
    }

    func showChat(_ id: Int) throws {
        show(try chat(id))
    }

    /// Shows the chat with a user; creates the chat if it does not exist.
    func showPersonalChat(with user: User) {
        show(chats.first { $0.with?.id == user.id } ?? newChat(with: user))
    }

    private var openChat: Chat? { personalChat?.screen?.chat ?? groupChat?.screen?.chat }

    private func chat(_ id: Int) throws -> Chat {
        guard let chat = chats.first(where: { $0.id == id }) else {
            throw Refusal("there is no chat \(id); choose a listed chat")
        }
        return chat
    }

    private func newChat(with user: User) -> Chat {
        let chat = Chat(id: chats.count + 1, group: false, title: user.name, with: user)
        chats.append(chat)
        return chat
    }

    /// Opens a chat in place of the open one.
    private func show(_ chat: Chat) {
        guard chat.id != openChat?.id else { return }
        popToRoot()
        if chat.group {
            groupChat = push(GroupChatScreen(chat: chat))
        } else {
            showPersonal(chat)
        }
    }

    private func showPersonal(_ chat: Chat) {
        personalChat = push(PersonalChatScreen(chat: chat)) { me, event in
            switch event {
            case .invite: me.showInvite()
            }
        }
    }

    private func showInvite() {
        present(InviteScreen(groups: chats.filter(\.group)), as: .fullScreen) { me, event in
            switch event {
            case .pick(let group): try me.invite(into: group)
            case .close: me.dismiss()
            }
        }
    }

    private func invite(into group: Chat) throws {
        let group = try chat(group.id)
        guard group.group else { throw Refusal("chat \(group.id) is not a group; choose one of the groups") }
        dismiss()
        show(group)
    }
}
