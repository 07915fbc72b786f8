import Usher

/// The picker for a photo or video of the user's library or camera; the delegate dismisses it.
///
/// The client stores the photo or video, and sends its URL.
@MainActor @preconcurrency
open class UIImagePickerController: UINavigationController, ScreenController {
    /// The places that photos come from.
    public enum SourceType: Int, Sendable {
        case photoLibrary, camera, savedPhotosAlbum
    }

    /// The keys of the information about a photo or video.
    public struct InfoKey: Hashable, RawRepresentable, Sendable {
        /// The name of the key.
        public let rawValue: String

        /// Creates a key.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The type, such as `public.image`.
        public static let mediaType = InfoKey(rawValue: "UIImagePickerControllerMediaType")
        /// The photo, a `UIImage` that is named after its URL.
        public static let originalImage = InfoKey(rawValue: "UIImagePickerControllerOriginalImage")
        /// The photo after the user's changes; present only if the picker allows changes.
        public static let editedImage = InfoKey(rawValue: "UIImagePickerControllerEditedImage")
        /// The URL of a photo.
        public static let imageURL = InfoKey(rawValue: "UIImagePickerControllerImageURL")
        /// The URL of a video.
        public static let mediaURL = InfoKey(rawValue: "UIImagePickerControllerMediaURL")
    }

    /// The user's choices.
    public enum MediaChoice: SystemChoice {
        /// A photo or video: the URL where the client has stored the file, and the media type; nil for the first type.
        case picked(url: String, mediaType: String?)
        case cancelled

        /// One choice of each kind.
        public static var examples: [MediaChoice] {
            [.picked(url: "https://example.org/photo.jpg", mediaType: nil), .cancelled]
        }
    }

    /// The place that photos come from.
    open var sourceType = SourceType.photoLibrary
    /// The types that the user can pick.
    open var mediaTypes = ["public.image"]
    /// A Boolean value that indicates whether the user can change the photo.
    open var allowsEditing = false

    /// Returns true, because only the client knows its device.
    open class func isSourceTypeAvailable(_ sourceType: SourceType) -> Bool { true }

    /// Returns the types of photos and videos.
    open class func availableMediaTypes(for sourceType: SourceType) -> [String]? { ["public.image", "public.movie"] }

    /// The screen, with the source and the media types.
    public var content: SystemScreen<MediaChoice> {
        SystemScreen(named: "imagePicker", items: ["\(sourceType)"] + mediaTypes, limit: 1)
    }

    /// Calls the delegate.
    ///
    /// - Throws: `Refusal` if the URL or the media type is invalid.
    public func handle(_ event: MediaChoice) throws {
        guard case .picked(let url, let mediaType) = event else { return cancel() }
        let info = try info(on: url, as: mediaType)
        guard let pickerDelegate else { return dismiss(animated: true) }
        pickerDelegate.imagePickerController(self, didFinishPickingMediaWithInfo: info)
    }

    private func info(on text: String, as mediaType: String?) throws -> [InfoKey: Any] {
        let url = try SystemScreen<MediaChoice>.url(text)
        guard let type = mediaType ?? mediaTypes.first, mediaTypes.contains(type) else {
            throw Refusal(
                "\"\(mediaType ?? "")\" cannot be picked; the picker's media types are \(mediaTypes.joined(separator: ", "))"
            )
        }
        guard type == "public.image" else { return [.mediaType: type, .mediaURL: url] }
        var info: [InfoKey: Any] = [.mediaType: type, .imageURL: url]
        info[.originalImage] = UIImage(named: text)
        if allowsEditing { info[.editedImage] = UIImage(named: text) }
        return info
    }

    private func cancel() {
        guard let pickerDelegate else { return dismiss(animated: true) }
        pickerDelegate.imagePickerControllerDidCancel(self)
    }

    private var pickerDelegate: (any UIImagePickerControllerDelegate)? {
        delegate as? any UIImagePickerControllerDelegate
    }
}

extension UIImagePickerController: SystemController {
    package func didEndByUser() { pickerDelegate?.imagePickerControllerDidCancel(self) }
}

/// The delegate of an image picker, which is also the delegate of a navigation controller.
@MainActor @preconcurrency
public protocol UIImagePickerControllerDelegate: AnyObject {
    /// Called when the user has picked a photo or video; the delegate dismisses the picker.
    func imagePickerController(
        _ picker: UIImagePickerController, didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any])

    /// Called when the user has cancelled; the delegate dismisses the picker.
    func imagePickerControllerDidCancel(_ picker: UIImagePickerController)
}

extension UIImagePickerControllerDelegate {
    /// Dismisses the picker.
    public func imagePickerController(
        _ picker: UIImagePickerController, didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
    ) {
        picker.dismiss(animated: true)
    }

    /// Dismisses the picker.
    public func imagePickerControllerDidCancel(_ picker: UIImagePickerController) { picker.dismiss(animated: true) }
}
