import UIKit
import Usher

@testable import SoodaArticle

/// The screens of the article's controllers.
enum SoodaScreens {
    struct Splash: Screen, Equatable {
        typealias Event = SplashViewModel.Event
    }

    struct Onboarding: Screen, Equatable {
        typealias Event = OnboardingViewModel.Event
    }

    struct SelectAuth: Screen, Equatable {
        typealias Event = SelectAuthViewModel.Event

        static let examples: [Event] = [.presentEmailLogin, .presentSignUp, .socialLogin(token: "kim")]
    }

    struct EmailLogin: Screen, Equatable {
        typealias Event = EmailLoginViewModel.Event

        static let examples: [Event] = [.logIn(name: "kim", password: "usher")]
    }

    struct SignUp: Screen, Equatable {
        typealias Event = SignUpViewModel.Event

        static let examples: [Event] = [.signUp(name: "park")]
    }

    struct InitialWorkspace: Screen, Equatable {
        typealias Event = InitialWorkspaceViewModel.Event
    }

    struct MakeWorkspace: Screen, Equatable {
        typealias Event = MakeWorkspaceViewModel.Event

        static let examples: [Event] = [.made(workspaceID: 8), .close]
    }

    struct HomeEmpty: Screen, Equatable {
        typealias Event = HomeEmptyViewModel.Event
    }

    struct WorkspaceList: Screen, Equatable {
        typealias Event = WorkspaceListViewModel.Event

        static let examples: [Event] = [.choose(workspaceID: 11), .askToLeave, .close]
    }

    struct HomeDefault: Screen, Equatable {
        typealias Event = HomeDefaultViewModel.Event

        static let examples: [Event] = [
            .presentWorkspaceList, .presentInviteMember, .presentMakeChannel, .exploreChannels,
            .openChannel(id: 3, name: "dev"), .logOut,
        ]

        let workspaceID: Int
    }

    struct InviteMember: Screen, Equatable {
        typealias Event = InviteMemberViewModel.Event
    }

    struct MakeChannel: Screen, Equatable {
        typealias Event = MakeChannelViewModel.Event
    }

    struct ExploreChannel: Screen, Equatable {
        typealias Event = ExploreChannelViewModel.Event

        static let examples: [Event] = [.openChannel(id: 3, name: "dev"), .close]
    }

    struct ChannelChat: Screen, Equatable {
        typealias Event = ChannelChatViewModel.Event

        let id: Int
        let name: String
    }

    struct ChannelSetting: Screen, Equatable {
        typealias Event = ChannelSettingViewModel.Event

        let id: Int
        let name: String
    }

    struct EditChannel: Screen, Equatable {
        typealias Event = EditChannelViewModel.Event

        static let examples: [Event] = [.saved(name: "new")]
    }
}

extension SplashViewController: ScreenController {
    var content: SoodaScreens.Splash { SoodaScreens.Splash() }

    func handle(_ event: SplashViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension OnboardingViewController: ScreenController {
    var content: SoodaScreens.Onboarding { SoodaScreens.Onboarding() }

    func handle(_ event: OnboardingViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension SelectAuthViewController: ScreenController {
    var content: SoodaScreens.SelectAuth { SoodaScreens.SelectAuth() }

    func handle(_ event: SelectAuthViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension EmailLoginViewController: ScreenController {
    var content: SoodaScreens.EmailLogin { SoodaScreens.EmailLogin() }

    func handle(_ event: EmailLoginViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension SignUpViewController: ScreenController {
    var content: SoodaScreens.SignUp { SoodaScreens.SignUp() }

    func handle(_ event: SignUpViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension InitialWorkspaceViewController: ScreenController {
    var content: SoodaScreens.InitialWorkspace { SoodaScreens.InitialWorkspace() }

    func handle(_ event: InitialWorkspaceViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension MakeWorkspaceViewController: ScreenController {
    var content: SoodaScreens.MakeWorkspace { SoodaScreens.MakeWorkspace() }

    func handle(_ event: MakeWorkspaceViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension HomeEmptyViewController: ScreenController {
    var content: SoodaScreens.HomeEmpty { SoodaScreens.HomeEmpty() }

    func handle(_ event: HomeEmptyViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension WorkspaceListViewController: ScreenController {
    var content: SoodaScreens.WorkspaceList { SoodaScreens.WorkspaceList() }

    func handle(_ event: WorkspaceListViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension HomeDefaultViewController: ScreenController {
    var content: SoodaScreens.HomeDefault { SoodaScreens.HomeDefault(workspaceID: viewModel.workSpaceId) }

    func handle(_ event: HomeDefaultViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension InviteMemberViewController: ScreenController {
    var content: SoodaScreens.InviteMember { SoodaScreens.InviteMember() }

    func handle(_ event: InviteMemberViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension MakeChannelViewController: ScreenController {
    var content: SoodaScreens.MakeChannel { SoodaScreens.MakeChannel() }

    func handle(_ event: MakeChannelViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension ExploreChannelViewController: ScreenController {
    var content: SoodaScreens.ExploreChannel { SoodaScreens.ExploreChannel() }

    func handle(_ event: ExploreChannelViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension ChannelChatViewController: ScreenController {
    var content: SoodaScreens.ChannelChat {
        SoodaScreens.ChannelChat(id: viewModel.channel.id, name: viewModel.channel.name)
    }

    func handle(_ event: ChannelChatViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension ChannelSettingViewController: ScreenController {
    var content: SoodaScreens.ChannelSetting {
        SoodaScreens.ChannelSetting(id: viewModel.channel.id, name: viewModel.channel.name)
    }

    func handle(_ event: ChannelSettingViewModel.Event) { viewModel.didSendEventClosure?(event) }
}

extension EditChannelViewController: ScreenController {
    var content: SoodaScreens.EditChannel { SoodaScreens.EditChannel() }

    func handle(_ event: EditChannelViewModel.Event) { viewModel.didSendEventClosure?(event) }
}
