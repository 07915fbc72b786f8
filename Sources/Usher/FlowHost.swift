/// A coordinator with flows.
///
/// Each case of the type `Flow` names a place in the app: a child of the coordinator, or a screen below it.
///
/// A deep link is a list of flows from the root down. A child that ends with `finish(next:)` also passes a flow to a
/// host.
///
/// ```swift
/// extension TabBarCoordinator: FlowHost {
///     enum Flow: Codable { case home, chat(id: Int) }
///     static let examples: [Flow] = [.home, .chat(id: 1)]
///
///     func open(_ flow: Flow) throws -> (any FlowHost)? {
///         switch flow {
///         case .home: select(Tab.home)
///         case .chat(let id):
///             select(Tab.chat)
///             try child(ChatCoordinator.self)?.show(id)
///         }
///         return nil
///     }
/// }
/// ```
public protocol FlowHost: AnyCoordinator {
    /// The places that this coordinator can open.
    associatedtype Flow: Codable & Sendable

    /// One value of each flow, which clients see as an example. By default, `allCases` if `Flow` is `CaseIterable`.
    static var examples: [Flow] { get }

    /// The present names of flows by their former names; none by default.
    ///
    /// Links with a former name continue to work, both links that clients send and links in recorded inputs.
    ///
    /// ```swift
    /// static let formerFlowNames = ["conversation": "chat"]
    /// ```
    static var formerFlowNames: [String: String] { get }

    /// Opens a place. An implementation should reuse screens that are already shown, and close other screens that are
    /// in the way.
    ///
    /// While a link is followed, the engine closes the modals over this coordinator as soon as it shows, selects or
    /// starts something. If a child ends with `finish(next:)`, only the child's own modals close.
    ///
    /// - Parameter flow: The place.
    /// - Returns: The host that opens the link's next flow; nil if a link cannot continue from this place.
    /// - Throws: `Later` if the place cannot be shown yet, possibly after showing a screen that has to come first;
    ///   `Refusal` if the place can never be shown.
    func open(_ flow: Flow) throws -> (any FlowHost)?
}

extension FlowHost {
    /// The flows have no former names.
    public static var formerFlowNames: [String: String] { [:] }
}

extension FlowHost where Flow: CaseIterable {
    /// Every case.
    public static var examples: [Flow] { Array(Flow.allCases) }
}

/// The error that a `FlowHost` throws if it cannot show a place yet, for example before a login.
///
/// The link then waits: clients see the link as pending, and the engine tries again to follow the link at the end of
/// each later input. If the flow came from `finish(next:)`, the flow counts as not opened.
///
/// Before a host throws, it may show a screen that has to come first, such as a login. This screen stays, and so do the
/// changes of the link's earlier hosts. If the host shows nothing, the changes of the earlier hosts are undone. A host
/// can show such a screen only once per link: if the host throws again, its new changes are undone. If the user closes
/// the screens that the link waits for, the link is dropped.
public struct Later: Error, Sendable {
    /// Creates the error.
    public init() {}
}
