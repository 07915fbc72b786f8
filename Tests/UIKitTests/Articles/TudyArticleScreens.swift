import UIKit
import Usher

@testable import TudyArticle

struct ChatListScreen: Screen, Equatable {
    typealias Event = ChatListEvent

    static let examples: [ChatListEvent] = [.showChat(chat: .withLee), .showLogin]

    let chats: [Chat]
}

extension ChatListViewController: ScreenController {
    var content: ChatListScreen { ChatListScreen(chats: store.chats) }

    func handle(_ event: ChatListEvent) throws {
        if case .showChat(let chat) = event, !store.chats.contains(where: { $0.id == chat.id }) {
            throw Refusal("there is no chat \(chat.id)")
        }
        didSendEventClosure?(event)
    }
}

struct PersonalChatScreen: Screen, Equatable {
    typealias Event = PersonalChatEvent

    let chat: Chat
}

extension PersonalChatViewController: ScreenController {
    var content: PersonalChatScreen { PersonalChatScreen(chat: chat) }

    func handle(_ event: PersonalChatEvent) {
        didSendEventClosure?(event)
    }
}

struct InviteScreen: Screen, Equatable {
    typealias Event = InviteEvent

    static let examples: [InviteEvent] = [.pick(group: .walkers), .close]

    let groups: [Chat]
}

extension InviteViewController: ScreenController {
    var content: InviteScreen { InviteScreen(groups: store.chats.filter(\.group)) }

    func handle(_ event: InviteEvent) throws {
        if case .pick(let group) = event, !group.group { throw Refusal("chat \(group.id) is not a group") }
        didSendEventClosure?(event)
    }
}

struct GroupChatScreen: Screen, Equatable {
    let chat: Chat
}

extension GroupChatViewController: ScreenController {
    var content: GroupChatScreen { GroupChatScreen(chat: chat) }
}

struct LoginScreen: Screen, Equatable {
    typealias Event = LoginEvent

    static let examples: [LoginEvent] = [.close, .showSignUp, .login(name: "kim", password: "usher")]

    let failure: String?
}

extension LoginViewController: ScreenController {
    var content: LoginScreen { LoginScreen(failure: failure) }

    func handle(_ event: LoginEvent) {
        didSendEventClosure?(event)
    }
}

struct SetNameScreen: Screen, Equatable {
    typealias Event = SetNameEvent

    static let examples: [SetNameEvent] = [.next(name: "Park")]

}

extension SetNameViewController: ScreenController {
    var content: SetNameScreen { SetNameScreen() }

    func handle(_ event: SetNameEvent) {
        didSendEventClosure?(event)
    }
}

struct SetInterestedJobScreen: Screen, Equatable {
    typealias Event = SetInterestedJobEvent

    static let examples: [SetInterestedJobEvent] = [.next(job: "iOS")]

}

extension SetInterestedJobViewController: ScreenController {
    var content: SetInterestedJobScreen { SetInterestedJobScreen() }

    func handle(_ event: SetInterestedJobEvent) {
        didSendEventClosure?(event)
    }
}

struct SetSubwayScreen: Screen, Equatable {
    typealias Event = SetSubwayEvent

    static let examples: [SetSubwayEvent] = [.next(station: "Hongdae")]

}

extension SetSubwayViewController: ScreenController {
    var content: SetSubwayScreen { SetSubwayScreen() }

    func handle(_ event: SetSubwayEvent) {
        didSendEventClosure?(event)
    }
}

struct WelcomeScreen: Screen, Equatable {
    typealias Event = WelcomeEvent

    let name: String
    let job: String
    let station: String
}

extension WelcomeViewController: ScreenController {
    var content: WelcomeScreen { WelcomeScreen(name: name, job: job, station: station) }

    func handle(_ event: WelcomeEvent) {
        didSendEventClosure?(event)
    }
}
