public import Observation

/// A session as a view shows it: layers for navigation stacks and sheets, tabs, the connection, the last refusal.
///
/// `follow()` keeps it up with the session; the view reports what its user did.
@MainActor @Observable
public final class NavigationDriver {
    /// The session that it shows.
    public let session: Session
    /// The connection, by which the client hears of what others do.
    public private(set) var connection: Connection
    /// The number of inputs that the server has not answered.
    public private(set) var waiting = 0
    /// The refusal of the last input; nil after one that was taken, or where the view has said so.
    public var refusal: Problem?
    /// The reason why the session is over, where it did not say so in a last state.
    public private(set) var ending: Problem?
    private var model = NavigationModel()

    /// A driver that shows what is there now.
    public init(_ session: Session) {
        self.session = session
        connection = session.connection
        model.show(session.state)
    }

    /// The layers that are to be shown, from the base up.
    public var layers: [NavigationModel.Layer] { model.layers }
    /// The tabs under it.
    public var tabs: Tabs? { model.tabs }

    /// Follows the session until it is over, or the task is cancelled; one that was denied, and has another token, anew.
    public func follow() async {
        for await update in session.updates {
            switch update {
            // The newest, for one that waited here may be older than what an input was answered with.
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

    /// The view has another path than it was given: the user went back by himself.
    public func setPath(_ ids: [Int], of layer: Int) {
        if let fact = model.setPath(ids, of: layer) { send(fact) }
    }

    /// The view has closed a layer: the user pulled a sheet down.
    public func dismiss(_ layer: Int) {
        if let fact = model.dismiss(layer) { send(fact) }
    }

    /// The user chose an action of an alert or an action sheet, which the view has closed.
    public func choose(_ event: String, _ payload: JSON? = nil, of layer: Int) {
        send(model.sendClosing(event, payload, of: layer))
    }

    /// Puts an input into the session's queue.
    ///
    /// An event or a `back` that names no screen is about the screen that the view shows: the user may have left others of
    /// which the server has not decided.
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
