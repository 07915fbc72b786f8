import UIKit
import Usher

/// An app with `#selector` and `@objc`, whose files the plug-in UsherSelectors compiles.
public enum SelectorApp: App {
    /// Returns a coordinator that shows the editor.
    public static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = UINavigationController(rootViewController: EditorViewController())
            return nil
        }
    }
}
