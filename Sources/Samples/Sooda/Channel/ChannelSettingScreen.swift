import Usher

struct ChannelSettingScreen: Screen {
    enum Event: Codable, CaseIterable { case presentEdit, backHome }

    let id: Int
    var name: String
}
