/// A coordinator with flows: each case of its `Flow` names a place, which is a child or a screen below the coordinator.
///
/// A child that ends with `finish(next:)` passes on a flow. A deep link is a list of flows from the root down.
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

    /// One value of each flow, shown to clients as an example; `allCases` if the flow is `CaseIterable`.
    static var examples: [Flow] { get }

    /// The present names of flows by their former names; none by default.
    ///
    /// Links with a former name continue to work: those that clients send, and those that a session has recorded.
    ///
    /// ```swift
    /// static let formerFlowNames = ["conversation": "chat"]
    /// ```
    static var formerFlowNames: [String: String] { get }

    /// Opens a place; an implementation reuses screens that are already shown, and closes what is in the way.
    ///
    /// While a link is followed, the engine closes the modals over this coordinator as soon as it shows, selects or
    /// starts something. If a child ends with `finish(next:)`, its own modals close; those of other coordinators stay.
    ///
    /// - Parameter flow: The place.
    /// - Returns: The host of the link's next step; nil if the path ends here.
    /// - Throws: `Later` if the place cannot be shown yet, possibly after showing what has to come first; `Refusal`
    ///   if it can never be shown.
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
/// The link then waits: clients see it as pending, and the engine retries it within each later input. If the flow came
/// from `finish(next:)`, the flow counts as not opened.
///
/// Before a host throws, it may show a screen that has to come first, such as a login. This screen stays, and so do the
/// changes of the hosts before it. If the host shows nothing, the changes of the hosts before it are undone. A host can
/// show such a screen only once per link: if it throws again, its new changes are undone. If the user closes what the
/// link waits for, the link is dropped.
public struct Later: Error, Sendable {
    /// Creates the error.
    public init() {}
}
