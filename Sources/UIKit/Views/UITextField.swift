/// A text field.
@MainActor @preconcurrency
open class UITextField: UIView {
    /// The times at which a part of the field is shown.
    public enum ViewMode: Int, Sendable {
        case never, whileEditing, unlessEditing, always
    }

    /// The text.
    open var text: String?
    /// The text that is shown while the field is empty.
    open var placeholder: String?
    /// A Boolean value that indicates whether the text is a secret.
    open var isSecureTextEntry = false
    /// The kind of keyboard.
    open var keyboardType = UIKeyboardType.default
    /// The kind of the keyboard's return key.
    open var returnKeyType = UIReturnKeyType.default
    /// The letters that the keyboard capitalises.
    open var autocapitalizationType = UITextAutocapitalizationType.sentences
    /// The setting for the correction of the user's text.
    open var autocorrectionType = UITextAutocorrectionType.default
    /// The meaning of the text, with which the system suggests texts.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals, because it is the declared type on a phone.
    open var textContentType: UITextContentType!
    /// The times at which the button that clears the text is shown.
    open var clearButtonMode = ViewMode.never
}

/// The kinds of keyboards.
public enum UIKeyboardType: Int, Sendable {
    case `default`, asciiCapable, numbersAndPunctuation, URL, numberPad, phonePad, namePhonePad, emailAddress
    case decimalPad, twitter, webSearch, asciiCapableNumberPad
}

/// The kinds of a keyboard's return key.
public enum UIReturnKeyType: Int, Sendable {
    case `default`, go, google, join, next, route, search, send, yahoo, done, emergencyCall, `continue`
}

/// The letters that a keyboard capitalises.
public enum UITextAutocapitalizationType: Int, Sendable {
    case none, words, sentences, allCharacters
}

/// The settings for the correction of texts.
public enum UITextAutocorrectionType: Int, Sendable {
    case `default`, no, yes
}

/// The meaning of a text.
public struct UITextContentType: Hashable, RawRepresentable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a meaning.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A person's name.
    public static let name = UITextContentType(rawValue: "name")
    /// A person's given name.
    public static let givenName = UITextContentType(rawValue: "given-name")
    /// A person's family name.
    public static let familyName = UITextContentType(rawValue: "family-name")
    /// An address of email.
    public static let emailAddress = UITextContentType(rawValue: "email")
    /// A telephone number.
    public static let telephoneNumber = UITextContentType(rawValue: "tel")
    /// A postal code.
    public static let postalCode = UITextContentType(rawValue: "postal-code")
    /// A link.
    public static let URL = UITextContentType(rawValue: "url")
    /// The name of an account.
    public static let username = UITextContentType(rawValue: "username")
    /// The password of an account.
    public static let password = UITextContentType(rawValue: "password")
    /// A password that the user chooses.
    public static let newPassword = UITextContentType(rawValue: "new-password")
    /// A code that is used once.
    public static let oneTimeCode = UITextContentType(rawValue: "one-time-code")
}
