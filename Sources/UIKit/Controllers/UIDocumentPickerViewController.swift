/// The picker for the user's documents, or for the place to store documents.
///
/// The client sends the URLs of the documents; the app's backend can read the documents there.
@MainActor @preconcurrency
open class UIDocumentPickerViewController: UIViewController, ScreenController {
    /// The user's choices.
    public enum DocumentChoice: SystemChoice {
        case picked(urls: [String])
        case cancelled

        /// One choice of each kind.
        public static var examples: [DocumentChoice] {
            [.picked(urls: ["https://example.org/report.pdf"]), .cancelled]
        }
    }

    /// The object that is called with the user's choice.
    open weak var delegate: (any UIDocumentPickerDelegate)?
    /// A Boolean value that indicates whether the user can pick several documents.
    open var allowsMultipleSelection = false
    /// A Boolean value that indicates whether the picker shows the extensions of file names.
    open var shouldShowFileExtensions = false
    /// The folder that the picker begins with.
    open var directoryURL: URL?
    private let name: String
    private let items: [String]

    /// Creates a picker for documents of some types.
    public init(forOpeningContentTypes contentTypes: [UTType], asCopy: Bool = false) {
        name = "documentPicker"
        items = contentTypes.map(\.identifier)
        super.init(nibName: nil, bundle: nil)
    }

    /// Creates a picker for the place to store documents.
    public init(forExporting urls: [URL], asCopy: Bool = false) {
        name = "documentExporter"
        items = urls.map(\.absoluteString)
        super.init(nibName: nil, bundle: nil)
    }

    /// Returns nil, because there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The screen, with the types of documents, or with the documents to store.
    public var content: SystemScreen<DocumentChoice> {
        let isForOne = !allowsMultipleSelection && name == "documentPicker"
        return SystemScreen(named: name, items: items, limit: isForOne ? 1 : nil)
    }

    /// Dismisses the picker, and then calls the delegate.
    ///
    /// - Throws: `Refusal` if a URL is invalid, or if there are no URLs or too many.
    public func handle(_ event: DocumentChoice) throws {
        guard case .picked(let texts) = event else {
            return dismiss(animated: true) { [self] in delegate?.documentPickerWasCancelled(self) }
        }
        let urls = try content.checked(texts).map { try SystemScreen<DocumentChoice>.url($0) }
        dismiss(animated: true) { [self] in delegate?.documentPicker(self, didPickDocumentsAt: urls) }
    }
}

extension UIDocumentPickerViewController: SystemController {
    package func didEndByUser() { delegate?.documentPickerWasCancelled(self) }
}

/// The delegate of a document picker.
@MainActor @preconcurrency
public protocol UIDocumentPickerDelegate: AnyObject {
    /// Called when the user has picked documents, or the place of exported documents.
    func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL])

    /// Called when the user has cancelled.
    func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController)
}

extension UIDocumentPickerDelegate {
    /// Does nothing.
    public func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]) {}

    /// Does nothing.
    public func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) {}
}

/// A type of documents.
public struct UTType: Hashable, Sendable {
    /// The identifier, such as `com.adobe.pdf`.
    public let identifier: String

    /// Creates a type; it is nil only if the identifier is empty.
    public init?(_ identifier: String) {
        if identifier.isEmpty { return nil }
        self.identifier = identifier
    }

    private init(known identifier: String) { self.identifier = identifier }

    /// Anything in a file.
    public static let item = UTType(known: "public.item")
    /// Anything that a user reads or writes.
    public static let content = UTType(known: "public.content")
    /// Bytes.
    public static let data = UTType(known: "public.data")
    /// A folder.
    public static let folder = UTType(known: "public.folder")
    /// A text.
    public static let text = UTType(known: "public.text")
    /// A text without markup.
    public static let plainText = UTType(known: "public.plain-text")
    /// A table of values that commas separate.
    public static let commaSeparatedText = UTType(known: "public.comma-separated-values-text")
    /// JSON.
    public static let json = UTType(known: "public.json")
    /// A PDF.
    public static let pdf = UTType(known: "com.adobe.pdf")
    /// An image.
    public static let image = UTType(known: "public.image")
    /// A JPEG image.
    public static let jpeg = UTType(known: "public.jpeg")
    /// A PNG image.
    public static let png = UTType(known: "public.png")
    /// A video.
    public static let movie = UTType(known: "public.movie")
    /// Audio.
    public static let audio = UTType(known: "public.audio")
    /// A ZIP archive.
    public static let zip = UTType(known: "public.zip-archive")
}

extension URL {
    /// Returns true: a URL that a client has sent needs no access rights.
    public func startAccessingSecurityScopedResource() -> Bool { true }

    /// Does nothing.
    public func stopAccessingSecurityScopedResource() {}
}
