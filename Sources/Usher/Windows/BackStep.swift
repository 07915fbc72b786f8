/// What going back would do now.
enum BackStep {
    /// Take the top screen off the visible stack.
    case pop
    /// Close the visible sheet.
    case dismiss
    /// A screen will not let the user go.
    case refused(String)
    /// There is nothing to go back to, and why.
    case impossible(String)
}

extension Window {
    var back: BackStep {
        let stack = visible
        guard let top = stack.screens.last else { return .impossible("no screen is shown") }
        if stack.screens.count > 1 { return top.backRefusal.map { .refused($0) } ?? .pop }
        switch stack.place {
        case .base, .tab: return .impossible("the visible screen is the root")
        case .modal(.sheet, _): return top.backRefusal.map { .refused($0) } ?? .dismiss
        case .modal(.fullScreen, _): return .impossible("the visible screen fills the window")
        case .modal(.alert, _): return .impossible("the visible screen is an alert")
        }
    }
}
