import AuthenticationServices
import LocalAuthentication
import PhotosUI
import StoreKit
import UIKit
import UniformTypeIdentifiers
import Usher

/// An app that shows the system's pickers and prompts, and their results.
enum SystemMenuApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = SystemMenuViewController()
            return nil
        }
    }
}

struct SystemMenuScreen: Screen, Equatable {
    enum Event: String, Codable, CaseIterable {
        case photo, video, document, documents, export, photos, anyPhotos
        case unlock, unlockInTask, unlockBriefly, unlockAndReview, unlockAndPick
        case signIn, signInWithoutWindow, signInBriefly, appleID
        case product, review, print, printBriefly
    }

    /// The results, the oldest first.
    let results: [String]
    /// How often the view has appeared and disappeared.
    let appearances: [Int]
}

final class SystemMenuViewController: UIViewController, ScreenController {
    private var results: [String] = []
    private var appearances = [0, 0]
    private let laContext = LAContext()
    private var webSession: ASWebAuthenticationSession?

    var content: SystemMenuScreen { SystemMenuScreen(results: results, appearances: appearances) }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        appearances[0] += 1
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        appearances[1] += 1
    }

    func handle(_ event: SystemMenuScreen.Event) {
        switch event {
        case .photo, .video, .document, .documents, .export, .photos, .anyPhotos: pick(event)
        case .unlock, .unlockInTask, .unlockBriefly: unlock(event)
        case .unlockAndReview:
            unlock(event)
            show(.review)
        case .unlockAndPick:
            unlock(event)
            pick(.document)
        case .signIn, .signInWithoutWindow, .signInBriefly, .appleID: signIn(event)
        case .product, .review, .print, .printBriefly: show(event)
        }
    }

    private func note(_ result: String) { results.append(result) }

    private func pick(_ event: SystemMenuScreen.Event) {
        switch event {
        case .photo, .video:
            let picker = UIImagePickerController()
            picker.sourceType = event == .photo ? .camera : .photoLibrary
            if event == .video { picker.mediaTypes = ["public.movie"] } else { picker.allowsEditing = true }
            picker.delegate = self
            present(picker, animated: true)
        case .document, .documents, .export:
            let picker =
                event == .export
                ? UIDocumentPickerViewController(forExporting: [URL(filePath: "/report.pdf")])
                : UIDocumentPickerViewController(forOpeningContentTypes: [.pdf, .plainText])
            picker.allowsMultipleSelection = event == .documents
            picker.delegate = self
            present(picker, animated: true)
        default:
            var configuration = PHPickerConfiguration()
            if event == .photos {
                configuration.selectionLimit = 2
                configuration.filter = .any(of: [.images, .livePhotos])
            } else {
                configuration.selectionLimit = 0
            }
            let picker = PHPickerViewController(configuration: configuration)
            picker.delegate = self
            present(picker, animated: true)
        }
    }

    private func unlock(_ event: SystemMenuScreen.Event) {
        var error: NSError?
        guard laContext.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) else { return note("never") }
        if event == .unlockInTask {
            _ = Task {
                do {
                    let isDone = try await laContext.evaluatePolicy(
                        .deviceOwnerAuthentication, localizedReason: "Open")
                    note("unlocked \(isDone)")
                } catch LAError.userCancel {
                    note("user cancelled")
                }
            }
            return
        }
        laContext.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Open") { isDone, error in
            self.note("unlocked \(isDone) \((error as? LAError).map { "\($0.code)" } ?? "")")
        }
        if event == .unlockBriefly { after { $0.laContext.invalidate() } }
    }

    private func signIn(_ event: SystemMenuScreen.Event) {
        if event == .appleID {
            let request = ASAuthorizationAppleIDProvider().createRequest()
            request.requestedScopes = [.fullName, .email]
            (request.nonce, request.state) = ("n", "s")
            let controller = ASAuthorizationController(authorizationRequests: [request])
            controller.delegate = self
            return controller.performRequests()
        }
        guard let url = URL(string: "https://example.org/login") else { return }
        let session = ASWebAuthenticationSession(url: url, callbackURLScheme: "shop") { [weak self] url, error in
            switch error {
            case ASWebAuthenticationSessionError.canceledLogin?: self?.note("cancelled")
            case ASWebAuthenticationSessionError.presentationContextNotProvided?: self?.note("no window")
            default: self?.note("\(url?.query ?? "") \(error == nil)")
            }
        }
        if event != .signInWithoutWindow { session.presentationContextProvider = self }
        session.start()
        webSession = session
        if event == .signInBriefly { after { $0.webSession?.cancel() } }
    }

    private func show(_ event: SystemMenuScreen.Event) {
        switch event {
        case .product:
            let product = SKStoreProductViewController()
            product.delegate = self
            let parameters = [SKStoreProductParameterITunesItemIdentifier: 7]
            product.loadProduct(withParameters: parameters) { [weak self] isLoaded, _ in
                self?.note("loaded \(isLoaded)")
            }
            present(product, animated: true)
        case .review:
            SKStoreReviewController.requestReview()
            note("asked")
        default:
            let info = UIPrintInfo(dictionary: nil)
            info.jobName = "Report"
            let controller = UIPrintInteractionController.shared
            controller.printInfo = info
            controller.printingItem = URL(string: "https://example.org/report.pdf")
            controller.present(animated: true) { [weak self] _, isDone, error in
                self?.note("printed \(isDone) \(error == nil)")
            }
            if event == .printBriefly { after { _ in UIPrintInteractionController.shared.dismiss(animated: true) } }
        }
    }

    private func after(_ perform: @escaping (SystemMenuViewController) -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { [weak self] in
            if let self { perform(self) }
        }
    }
}

extension SystemMenuViewController: UIImagePickerControllerDelegate, UINavigationControllerDelegate {
    func imagePickerController(
        _ picker: UIImagePickerController, didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
    ) {
        let url = (info[.imageURL] ?? info[.mediaURL]) as? URL
        let images = [info[.originalImage], info[.editedImage]].map { $0 is UIImage }
        note("\(info[.mediaType] ?? "") \(url?.lastPathComponent ?? "") \(images)")
        picker.dismiss(animated: true)
    }

    func imagePickerControllerDidCancel(_ picker: UIImagePickerController) {
        note("no photo")
        picker.dismiss(animated: true)
    }
}

extension SystemMenuViewController: UIDocumentPickerDelegate {
    func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]) {
        note("\(urls.map(\.lastPathComponent)) \(urls.allSatisfy { $0.startAccessingSecurityScopedResource() })")
    }

    func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) { note("no document") }
}

extension SystemMenuViewController: PHPickerViewControllerDelegate {
    func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
        picker.dismiss(animated: true)
        note("\(results.compactMap(\.assetIdentifier))")
        guard let provider = results.first?.itemProvider, provider.canLoadObject(ofClass: UIImage.self) else { return }
        provider.loadObject(ofClass: UIImage.self) { [weak self] image, _ in
            self?.note("image \(image as? UIImage == UIImage(named: "a"))")
        }
    }
}

extension SystemMenuViewController: ASWebAuthenticationPresentationContextProviding {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { UIWindow(frame: .zero) }
}

extension SystemMenuViewController: ASAuthorizationControllerDelegate {
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else { return }
        let token = credential.identityToken.map { String(decoding: $0, as: UTF8.self) }
        note("\(credential.user) \(credential.fullName?.givenName ?? "-") \(token ?? "-") \(credential.state ?? "-")")
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        note("error \((error as? ASAuthorizationError).map { "\($0.code)" } ?? "")")
    }
}

extension SystemMenuViewController: SKStoreProductViewControllerDelegate {
    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
        note("product closed")
        viewController.dismiss(animated: true)
    }
}
