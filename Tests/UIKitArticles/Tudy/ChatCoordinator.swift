import UIKit

final class ChatCoordinator: Coordinator {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    weak var loginDelegate: (any LoginCheckDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.chat
    var store = Store()

    init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let chatListViewController = ChatListViewController(store: store)
        chatListViewController.didSendEventClosure = { [weak self] event in
            switch event {
            case .showChat(let chat): self?.show(chat)
            case .showLogin: self?.loginDelegate?.prepareLoginCoordinator()
            }
        }
        navigationController.pushViewController(chatListViewController, animated: true)
    }

    func showChat(id: Int) {
        store.chats.first { $0.id == id }.map(show)
    }

    func showPersonalChat(with user: User) {
        show(store.chat(with: user))
    }

    /// Replaces the open chat, if there is one.
    private func show(_ chat: Chat) {
        guard (navigationController.topViewController as? any ChatShowing)?.chat != chat else { return }
        navigationController.popToRootViewController(animated: false)
        if chat.group {
            navigationController.pushViewController(GroupChatViewController(chat: chat), animated: true)
        } else {
            pushPersonalChatViewController(chat)
        }
    }

    private func pushPersonalChatViewController(_ chat: Chat) {
        let personalChatViewController = PersonalChatViewController(chat: chat)
        personalChatViewController.didSendEventClosure = { [weak self] event in
            switch event {
            case .invite: self?.showInvite()
            }
        }
        navigationController.pushViewController(personalChatViewController, animated: true)
    }

    private func showInvite() {
        let inviteViewController = InviteViewController(store: store)
        inviteViewController.didSendEventClosure = { [weak self] event in
            self?.navigationController.dismiss(animated: true)
            switch event {
            case .pick(let group): self?.show(group)
            case .close: break
            }
        }
        inviteViewController.modalPresentationStyle = .fullScreen
        navigationController.present(inviteViewController, animated: true)
    }
}
