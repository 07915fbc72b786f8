import UIKit

final class ExploreChannelCoordinator: ChannelShowing {
    weak var finishDelegate: (any CoordinatorFinishDelegate)?
    var navigationController: UINavigationController
    var childCoordinators: [any Coordinator] = []
    let type = CoordinatorType.exploreChannel

    required init(_ navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let exploreChannelVM = ExploreChannelViewModel()
        exploreChannelVM.didSendEventClosure = { [weak self] event in
            switch event {
            case .openChannel(let id, let name): self?.showChannelChattingView(channelId: id, channelName: name)
            case .close: self?.finish(nil)
            }
        }
        navigationController.pushViewController(
            ExploreChannelViewController.create(with: exploreChannelVM), animated: false)
    }

    func backHome() {
        finish(nil)
    }
}

/// A coordinator on whose navigation a channel is shown.
@MainActor
protocol ChannelShowing: Coordinator {
    func backHome()
}

extension ChannelShowing {
    func showChannelChattingView(channelId: Int, channelName: String) {
        let channelChatVM = ChannelChatViewModel(channel: Channel(id: channelId, name: channelName))
        channelChatVM.didSendEventClosure = { [weak self, weak channelChatVM] event in
            guard let channelChatVM else { return }
            switch event {
            case .openSetting: self?.showSetting(of: channelChatVM.channel)
            }
        }
        navigationController.pushViewController(ChannelChatViewController.create(with: channelChatVM), animated: true)
    }

    private func showSetting(of channel: Channel) {
        let channelSettingVM = ChannelSettingViewModel(channel: channel)
        channelSettingVM.didSendEventClosure = { [weak self] event in
            switch event {
            case .presentEdit: self?.showEdit(of: channel)
            case .backHome: self?.backHome()
            }
        }
        navigationController.pushViewController(
            ChannelSettingViewController.create(with: channelSettingVM), animated: true)
    }

    private func showEdit(of channel: Channel) {
        let editChannelVM = EditChannelViewModel()
        editChannelVM.didSendEventClosure = { [weak self] event in
            self?.navigationController.dismiss(animated: true)
            switch event {
            case .saved(let name): channel.name = name
            }
        }
        navigationController.present(EditChannelViewController.create(with: editChannelVM), animated: true)
    }
}

@MainActor
final class Channel {
    let id: Int
    var name: String

    init(id: Int, name: String) {
        self.id = id
        self.name = name
    }
}
