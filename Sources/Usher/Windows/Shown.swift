/// How a screen is shown.
enum Shown: String {
    /// The base of its stack.
    case root
    /// On top of another screen of the same stack.
    case push
    case sheet
    case fullScreen
    case alert
}

extension Shown {
    /// How the first screen of a modal is shown.
    init(_ style: PresentationStyle) {
        switch style {
        case .sheet: self = .sheet
        case .fullScreen: self = .fullScreen
        case .alert: self = .alert
        }
    }
}
