import Usher

/// Shows the channels; finishes when the user goes home.
final class ExploreChannelCoordinator: Coordinator<Void>, ChannelGuide {
    var chat: Handle<ChannelChatScreen>?
    var setting: Handle<ChannelSettingScreen>?

    override func start() {
        push(ExploreChannelScreen()) { me, event in
            switch event {
            case .openChannel(let id, let name): me.showChannel(id: id, name: name)
            case .close: me.cancel()
            }
        }
    }

    func backHome() {
        finish()
    }
}
