/// The styles of a modal: how it lies over what was there.
public enum PresentationStyle: Sendable {
    /// A sheet: the user can pull it down.
    case sheet
    /// Full screen: only an event closes it.
    case fullScreen
    /// An alert: any event that it takes closes it, before the event's handler runs.
    case alert
}
