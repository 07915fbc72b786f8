import Usher

/// A coordinator that shows a channel: its chat, its settings, and the form that renames it.
protocol ChannelGuide: AnyCoordinator {
    var chat: Handle<ChannelChatScreen>? { get set }
    var setting: Handle<ChannelSettingScreen>? { get set }

    /// Leaves the channel for the workspace's home.
    func backHome()
}

extension ChannelGuide {
    func showChannel(id: Int, name: String) {
        chat = push(ChannelChatScreen(id: id, name: name)) { me, event in
            switch event {
            case .openSetting: me.showSetting()
            }
        }
    }

    private func showSetting() {
        guard let channel = chat?.screen else { return }
        setting = push(ChannelSettingScreen(id: channel.id, name: channel.name)) { me, event in
            switch event {
            case .presentEdit: me.editChannel()
            case .backHome: me.backHome()
            }
        }
    }

    private func editChannel() {
        present(EditChannelScreen(), as: .sheet) { me, event in
            switch event {
            case .saved(let name): me.rename(name)
            }
        }
    }

    private func rename(_ name: String) {
        dismiss()
        chat?.update { $0.name = name }
        setting?.update { $0.name = name }
    }
}
