import UIKit

final class DMListViewController: UIViewController {}

final class SearchViewController: UIViewController {}

final class SettingViewController: UIViewController {}

@MainActor
final class HomeDefaultViewModel {
    enum Event: Codable {
        case presentWorkspaceList
        case presentInviteMember
        case presentMakeChannel
        case exploreChannels
        case openChannel(id: Int, name: String)
        case logOut
    }

    var didSendEventClosure: ((Event) -> Void)?
    var workSpaceId: Int

    init(workSpaceId: Int) {
        self.workSpaceId = workSpaceId
    }
}

final class HomeDefaultViewController: ViewModelController<HomeDefaultViewModel> {}

@MainActor
final class InviteMemberViewModel {
    enum Event: Codable, CaseIterable {
        case done
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class InviteMemberViewController: ViewModelController<InviteMemberViewModel> {}

@MainActor
final class MakeChannelViewModel {
    enum Event: Codable, CaseIterable {
        case done
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class MakeChannelViewController: ViewModelController<MakeChannelViewModel> {}

@MainActor
final class ExploreChannelViewModel {
    enum Event: Codable {
        case openChannel(id: Int, name: String)
        case close
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class ExploreChannelViewController: ViewModelController<ExploreChannelViewModel> {}

@MainActor
final class ChannelChatViewModel {
    enum Event: Codable, CaseIterable {
        case openSetting
    }

    var didSendEventClosure: ((Event) -> Void)?
    let channel: Channel

    init(channel: Channel) {
        self.channel = channel
    }
}

final class ChannelChatViewController: ViewModelController<ChannelChatViewModel> {}

@MainActor
final class ChannelSettingViewModel {
    enum Event: Codable, CaseIterable {
        case presentEdit
        case backHome
    }

    var didSendEventClosure: ((Event) -> Void)?
    let channel: Channel

    init(channel: Channel) {
        self.channel = channel
    }
}

final class ChannelSettingViewController: ViewModelController<ChannelSettingViewModel> {}

@MainActor
final class EditChannelViewModel {
    enum Event: Codable {
        case saved(name: String)
    }

    var didSendEventClosure: ((Event) -> Void)?
}

final class EditChannelViewController: ViewModelController<EditChannelViewModel> {}
