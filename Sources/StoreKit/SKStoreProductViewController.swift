@_exported public import UIKit

/// The page of a product in the store.
@MainActor @preconcurrency
open class SKStoreProductViewController: UIViewController, ScreenController {
    /// The end of the page, as an event.
    public enum ProductChoice: String, SystemChoice, CaseIterable {
        case done
    }

    /// The object that is called when the user has closed the page, and that dismisses the page.
    open weak var delegate: (any SKStoreProductViewControllerDelegate)?
    private var items: [String] = []

    /// The screen, with the identifier of the product.
    public var content: SystemScreen<ProductChoice> { SystemScreen(named: "storeProduct", items: items) }

    /// Sets the product, and calls a closure at the end of the input.
    open func loadProduct(
        withParameters parameters: [String: Any], completionBlock block: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        items = parameters[SKStoreProductParameterITunesItemIdentifier].map { ["\($0)"] } ?? []
        let isKnown = !items.isEmpty
        UIKitSession.complete { block?(isKnown, nil) }
    }

    /// Calls the delegate.
    public func handle(_ event: ProductChoice) {
        guard let delegate else { return dismiss(animated: true) }
        delegate.productViewControllerDidFinish(self)
    }
}

extension SKStoreProductViewController: SystemController {
    package func didEndByUser() { delegate?.productViewControllerDidFinish(self) }
}

/// The delegate of a product's page.
@MainActor @preconcurrency
public protocol SKStoreProductViewControllerDelegate: AnyObject {
    /// Called when the user has tapped Done; the delegate must then dismiss the controller.
    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController)
}

extension SKStoreProductViewControllerDelegate {
    /// Dismisses the page.
    public func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
        viewController.dismiss(animated: true)
    }
}

/// The key of the product's identifier.
public let SKStoreProductParameterITunesItemIdentifier = "id"
