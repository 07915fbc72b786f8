/// The system's controller for printing; the client prints, and sends the result as an event of a prompt.
@MainActor @preconcurrency
open class UIPrintInteractionController: NSObject {
    /// The ways in which printing can end, as events.
    public enum PrintChoice: String, SystemChoice, CaseIterable {
        case printed, failed, cancelled
    }

    /// A closure that gets the print controller, whether the user has printed, and an error.
    public typealias CompletionHandler = (UIPrintInteractionController, Bool, (any Error)?) -> Void

    /// The settings of the print job.
    open var printInfo: UIPrintInfo?
    /// The document, such as a URL.
    open var printingItem: Any?
    /// The documents.
    open var printingItems: [Any]?
    private weak var prompt: SystemPrompt<PrintChoice>?
    private static let jobFailed = 4

    fileprivate override init() {
        super.init()
    }

    /// The session's controller; outside of a session, a new controller.
    open class var shared: UIPrintInteractionController {
        UIKitSession.ofGlobals?.value(UIPrintInteractionController.self) { UIPrintInteractionController() }
            ?? UIPrintInteractionController()
    }

    /// True, because only the client knows its device.
    open class var isPrintingAvailable: Bool { true }

    /// Returns true, because only the client knows its device.
    open class func canPrint(_ url: URL) -> Bool { true }

    /// Shows the prompt, whose items are the name of the job and the documents' URLs or types; returns `true`.
    @discardableResult
    open func present(animated: Bool, completionHandler completion: CompletionHandler? = nil) -> Bool {
        let documents = [printingItem].compactMap(\.self) + (printingItems ?? [])
        let prompt = SystemPrompt(
            named: "print",
            items: [printInfo?.jobName ?? ""]
                + documents.map { ($0 as? URL)?.absoluteString ?? "\(type(of: $0))" },
            cancellation: PrintChoice.cancelled
        ) { [self] choice in
            let error = choice == .failed ? NSError(domain: UIPrintErrorDomain, code: Self.jobFailed) : nil
            completion?(self, choice == .printed, error)
        }
        self.prompt = prompt
        prompt.show()
        return true
    }

    /// Shows the prompt; Apple's iPads show it at a button.
    @discardableResult
    open func present(
        from item: UIBarButtonItem, animated: Bool, completionHandler completion: CompletionHandler? = nil
    ) -> Bool {
        present(animated: animated, completionHandler: completion)
    }

    /// Shows the prompt; Apple's iPads show it at a view.
    @discardableResult
    open func present(
        from rect: CGRect, in view: UIView, animated: Bool, completionHandler completion: CompletionHandler? = nil
    ) -> Bool {
        present(animated: animated, completionHandler: completion)
    }

    /// Closes the prompt, and calls its closure.
    open func dismiss(animated: Bool) {
        prompt?.withdraw()
    }
}

/// The domain of errors of printing.
public let UIPrintErrorDomain = "UIPrintErrorDomain"

/// The settings of a print job; clients see only the name of the job.
@MainActor @preconcurrency
open class UIPrintInfo: NSObject {
    /// The kinds of contents.
    public enum OutputType: Int, Sendable {
        case general, photo, grayscale, photoGrayscale
    }

    /// The orientations of the paper.
    public enum Orientation: Int, Sendable {
        case portrait, landscape
    }

    /// The name of the job.
    open var jobName = ""
    /// The kind of content.
    open var outputType = OutputType.general
    /// The orientation of the paper.
    open var orientation = Orientation.portrait

    /// Creates the settings of a print job; the dictionary is ignored.
    public init(dictionary: [AnyHashable: Any]?) {
        super.init()
    }

    /// Returns a new object.
    open class func printInfo() -> UIPrintInfo { UIPrintInfo(dictionary: nil) }
}
