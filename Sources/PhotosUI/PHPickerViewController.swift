@_exported public import UIKit

/// The picker for photos and videos of the user's library; the delegate dismisses the picker.
///
/// The client sends identifiers with which the client itself, or the app's backend, finds the photos.
@MainActor @preconcurrency
open class PHPickerViewController: UIViewController, ScreenController {
    /// The user's choices.
    public enum PhotoChoice: SystemChoice {
        case picked(identifiers: [String])
        case cancelled

        /// One choice of each kind.
        public static var examples: [PhotoChoice] { [.picked(identifiers: ["photo-1"]), .cancelled] }
    }

    /// What the user can pick.
    public let configuration: PHPickerConfiguration
    /// The object that is called with the user's choice.
    open weak var delegate: (any PHPickerViewControllerDelegate)?

    /// Creates a picker.
    public init(configuration: PHPickerConfiguration) {
        self.configuration = configuration
        super.init(nibName: nil, bundle: nil)
    }

    /// Returns nil, because there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The screen, with the kinds of photos.
    public var content: SystemScreen<PhotoChoice> {
        let limit = configuration.selectionLimit
        return SystemScreen(
            named: "photoPicker", items: configuration.filter?.kinds ?? [], limit: limit > 0 ? limit : nil)
    }

    /// Calls the delegate.
    ///
    /// - Throws: `Refusal` if nothing is picked, or more than the configuration allows.
    public func handle(_ event: PhotoChoice) throws {
        guard case .picked(let identifiers) = event else { return finish([]) }
        finish(try content.checked(identifiers).map(PHPickerResult.init))
    }

    private func finish(_ results: [PHPickerResult]) {
        guard let delegate else { return dismiss(animated: true) }
        delegate.picker(self, didFinishPicking: results)
    }
}

extension PHPickerViewController: SystemController {
    package func didEndByUser() { delegate?.picker(self, didFinishPicking: []) }
}

/// The delegate of a photo picker.
@MainActor @preconcurrency
public protocol PHPickerViewControllerDelegate: AnyObject {
    /// Called with the user's photos, or an empty list after a cancellation; the delegate dismisses the picker.
    func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult])
}

/// What the user can pick in a photo picker.
public struct PHPickerConfiguration: Sendable {
    /// The maximum number of photos; 0 for any number.
    public var selectionLimit = 1
    /// The kinds of photos; nil for all kinds.
    public var filter: PHPickerFilter?

    /// Creates the configuration for one photo.
    public init() {}
}

/// The kinds of photos that the user can pick.
public struct PHPickerFilter: Hashable, Sendable {
    let kinds: [String]

    /// Images.
    public static let images = PHPickerFilter(kinds: ["images"])
    /// Videos.
    public static let videos = PHPickerFilter(kinds: ["videos"])
    /// Live photos.
    public static let livePhotos = PHPickerFilter(kinds: ["livePhotos"])

    /// Returns a filter for all kinds of some filters.
    public static func any(of subfilters: [PHPickerFilter]) -> PHPickerFilter {
        PHPickerFilter(kinds: subfilters.flatMap(\.kinds))
    }
}

/// A photo that the user has picked.
public struct PHPickerResult {
    /// The identifier that the client has sent.
    public let assetIdentifier: String?
    /// The provider of the photo.
    public let itemProvider: NSItemProvider

    init(_ identifier: String) {
        (assetIdentifier, itemProvider) = (identifier, NSItemProvider(identifier))
    }
}

/// The provider of a photo, which is an image that has the photo's identifier as its name.
@MainActor @preconcurrency
open class NSItemProvider: NSObject {
    private let identifier: String

    nonisolated init(_ identifier: String) {
        self.identifier = identifier
        super.init()
    }

    /// Returns a Boolean value that indicates whether the class is `UIImage`.
    open func canLoadObject(ofClass aClass: any NSItemProviderReading.Type) -> Bool { aClass == UIImage.self }

    /// Passes the image to a closure at the end of the input; returns the progress, which is finished.
    @discardableResult
    open func loadObject(
        ofClass aClass: any NSItemProviderReading.Type,
        completionHandler: @escaping ((any NSItemProviderReading)?, (any Error)?) -> Void
    ) -> Progress {
        let image = canLoadObject(ofClass: aClass) ? UIImage(named: identifier) : nil
        UIKitSession.complete { completionHandler(image, nil) }
        return Progress(totalUnitCount: 0)
    }
}

/// An object that an item provider can load.
public protocol NSItemProviderReading: AnyObject {}

extension UIImage: NSItemProviderReading {}
