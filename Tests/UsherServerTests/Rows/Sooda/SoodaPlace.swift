import Sooda
import Testing
import UsherHTTP
import UsherJSON

/// The beginnings of the rows of `scenarios.md`: a session's options, and the events that lead to the place.
enum SoodaPlace: CaseIterable {
    /// Z-01, Z-02, Z-05, Z-06, Z-07, Z-08, Z-11.
    case splash, onboarding, selectAuth, emailLogin, signUp, signedIn, initialWorkspace
    /// Z-04.
    case homeEmpty
    /// TB(7), Z-18, Z-25, Z-26, Z-27.
    case tabs, workspaceList, channel, exploreChannel, exploredSetting

    var launch: String? {
        switch self {
        case .splash, .onboarding, .selectAuth, .emailLogin, .signUp, .signedIn, .initialWorkspace: nil
        case .homeEmpty: #""empty""#
        case .tabs, .workspaceList, .channel, .exploreChannel, .exploredSetting: #"{"home":{"workspaceID":7}}"#
        }
    }

    var events: [String] {
        switch self {
        case .splash: []
        case .onboarding, .homeEmpty, .tabs: ["done"]
        case .selectAuth: Self.onboarding.events + ["presentSelectAuth"]
        case .emailLogin: Self.selectAuth.events + ["presentEmailLogin"]
        case .signUp: Self.selectAuth.events + ["presentSignUp"]
        case .signedIn: Self.emailLogin.events + [Self.logIn("kim")]
        case .initialWorkspace: Self.signUp.events + [#"{"signUp":{"name":"park"}}"#]
        case .workspaceList: Self.tabs.events + ["presentWorkspaceList"]
        case .channel: Self.tabs.events + [Self.openChannel]
        case .exploreChannel: Self.tabs.events + ["exploreChannels"]
        case .exploredSetting: Self.exploreChannel.events + [Self.openChannel, "openSetting"]
        }
    }

    static let openChannel = #"{"openChannel":{"id":3,"name":"dev"}}"#

    static func logIn(_ name: String, password: String = "usher") -> String {
        #"{"logIn":{"name":"\#(name)","password":"\#(password)"}}"#
    }
}

extension Surface {
    /// Opens a session of `sooda`, leads it to a place, and sends further inputs.
    func sooda(
        at place: SoodaPlace, open link: String? = nil, _ events: String..., body: (Walk) async throws -> Void
    ) async throws {
        try await serve([SoodaApp.self]) { stage in
            let options = place.launch.map { #","options":{"launch":\#($0)}"# } ?? ""
            let open = link.map { #","open":\#($0)"# } ?? ""
            let opened = try await stage.request(.post, "/sessions", body: #"{"app":"sooda"\#(options)\#(open)}"#)
            try #require(opened.status == 201, "\(opened.text)")
            let walk = try Walk(on: stage, opened: opened)
            try await walk.play(place.events + events)
            try await body(walk)
        }
    }
}
