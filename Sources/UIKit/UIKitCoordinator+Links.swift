public import Usher

extension UIKitCoordinator: FlowHost {
    /// The events of a phone that do not come from the app's screens.
    public enum Flow: Codable, Equatable, Sendable {
        /// A link to open; the scene's delegate receives the link, or else the application's delegate.
        case url(String)
        /// A universal link to open; the scene's delegate receives the link, or else the application's delegate.
        case userActivity(webpageURL: String)
        /// The user opens a push notification or one of its actions; the notification centre's delegate is called.
        case notification(
            title: String? = nil, body: String? = nil, userInfo: [String: UserInfoValue]? = nil, action: String? = nil)
        /// The user has started to swipe back, and has cancelled the swipe.
        case cancelledPop
        /// The user has turned to the next or previous page.
        case pageTurned(forward: Bool)
        /// The user has left the app.
        case enteredBackground
        /// The user has returned to the app.
        case enteredForeground
    }

    /// One flow of each kind.
    public static let examples: [Flow] = [
        .url("shop://orders/7"), .userActivity(webpageURL: "https://shop.example/orders/7"),
        .notification(title: "Your order has left", userInfo: ["order": "7"]), .cancelledPop,
        .pageTurned(forward: true), .enteredBackground, .enteredForeground,
    ]

    /// Passes a flow to the app.
    public func open(_ flow: Flow) throws -> (any FlowHost)? {
        closesModalsItself()
        if takeLaunchFlow(flow) { return nil }
        let session = session
        try MainActor.assumeIsolated {
            try session.enter {
                switch flow {
                case .url(let text): try session.receive(flow, else: "\"\(text)\" is not a link")
                case .userActivity(let text):
                    try session.receive(
                        flow, else: "\"\(text)\" is not a universal link, which must begin with https://")
                case .notification: try session.receive(flow, else: "the flow is not a notification")
                case .cancelledPop:
                    session.application.sendTouch(in: session)
                    try session.appearance.cancelPop()
                case .pageTurned(let isForward):
                    session.application.sendTouch(in: session)
                    try session.appearance.turnPage(isForward ? .forward : .reverse)
                case .enteredBackground: session.application.enterBackground()
                case .enteredForeground: session.application.enterForeground()
                }
            }
        }
        return nil
    }
}

extension UIKitSession {
    fileprivate func receive(_ flow: UIKitCoordinator.Flow, else reason: String) throws {
        guard let cause = LaunchCause(flow) else { throw Refusal(reason) }
        application.receive(cause)
    }
}
