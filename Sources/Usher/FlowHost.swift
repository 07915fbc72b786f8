/// A coordinator that can be sent somewhere: each case of its `Flow` names a place, a child or a screen below it.
///
/// A child finishes towards a flow (`finish(next:)`), and a deep link is a list of them from the root down.
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
    /// The places that this coordinator knows the way to.
    associatedtype Flow: Codable & Sendable

    /// One value of each flow, shown to clients as an example; `allCases` where the flow is `CaseIterable`.
    static var examples: [Flow] { get }

    /// The present names of flows by the names that earlier builds gave them; none by default.
    ///
    /// Links with a former name continue to work: those that clients send, and those that a session has recorded.
    ///
    /// ```swift
    /// static let formerFlowNames = ["conversation": "chat"]
    /// ```
    static var formerFlowNames: [String: String] { get }

    /// Goes to a place. What is there already should be used again, what is in the way closed.
    ///
    /// On a link's way, modals that lie over this coordinator are closed by the engine as soon as it shows, selects or
    /// starts something. A child that finishes towards a flow takes its own along; those of others stay.
    ///
    /// - Parameter flow: The place.
    /// - Returns: The host of the link's next step; nil where the path ends.
    /// - Throws: `Later` when the place cannot be shown yet, after showing what has to come first; `Refusal` when it never
    ///   can.
    func open(_ flow: Flow) throws -> (any FlowHost)?
}

extension FlowHost {
    /// The flows always had the same names.
    public static var formerFlowNames: [String: String] { [:] }
}

extension FlowHost where Flow: CaseIterable {
    /// Every case.
    public static var examples: [Flow] { Array(Flow.allCases) }
}

/// Thrown by a `FlowHost` that cannot show a place yet, such as before a login.
///
/// A link then waits, shown to the client as pending, and offered again within each later input. Outside of a link a flow
/// that comes too early counts as not taken.
///
/// A host may show what has to come first, such as a login, before it throws. That stays, with what the hosts before it have
/// done; a host that does nothing itself undoes theirs. It stays once for each link: what the host does before it throws
/// again is undone, and the link is dropped if the user has closed what the link waited for.
public struct Later: Error, Sendable {
    /// Makes the error.
    public init() {}
}
