public import Observation

/// A driver that gives a view the layers, tabs, connection and last refusal of a session.
///
/// `follow()` keeps the driver up to date, and the view reports what its user did.
@MainActor @Observable
public final class NavigationDriver {
    /// The session.
    public let session: Session
    /// The connection through which the client follows changes made elsewhere.
    public private(set) var connection: Connection
    /// The number of inputs that the server has not answered.
    public private(set) var waiting = 0
    /// The refusal of the last input; nil after an accepted input, or if the view has cleared it.
    public var refusal: Problem?
    /// The reason for the session's end, if the last state does not contain it.
    public private(set) var ending: Problem?
    private var model = NavigationModel()

    /// Creates a driver that shows the session's current state.
    public init(_ session: Session) {
        self.session = session
        connection = session.connection
        model.show(session.state)
    }

    /// The layers to show, from the base up.
    public var layers: [NavigationModel.Layer] { model.layers }
    /// The tabs below the base.
    public var tabs: Tabs? { model.tabs }

    /// Follows the session until it has ended or the task is cancelled.
    ///
    /// Call this method again for a session that was denied and has a new token.
    public func follow() async {
        for await update in session.updates {
            switch update {
            // Shows the newest state instead of the update's own, because the update may have waited and be older than
            // an input's answer.
            case .state: model.show(session.state)
            case .connection(let connection):
                self.connection = connection
                ending = session.ending
            case .waiting(let count): waiting = count
            case .gone(let problem): ending = problem
            case .delayed: break
            }
        }
    }

    /// Reports that a layer's path has changed because the user went back.
    public func setPath(_ ids: [Int], of layer: Int) {
        if let fact = model.setPath(ids, of: layer) { send(fact) }
    }

    /// Reports that the user dismissed a layer.
    public func dismiss(_ layer: Int) {
        if let fact = model.dismiss(layer) { send(fact) }
    }

    /// Reports that the user chose an action of an alert or action sheet, which the view has closed.
    public func choose(_ event: String, _ payload: JSON? = nil, of layer: Int) {
        send(model.sendClosing(event, payload, of: layer))
    }

    /// Adds an input to the session's queue.
    ///
    /// An event or a `back` without a screen goes to the screen that the view shows, because the user may have left
    /// screens that the server still has.
    @discardableResult
    public func send(_ input: Input) -> Task<Void, Never> {
        let delivery = session.enqueue(input.naming(model.visible))
        return Task {
            do throws(Problem) {
                _ = try await delivery.state
                refusal = nil
            } catch {
                refusal = error
            }
            model.decide(input, at: session.state)
        }
    }
}
