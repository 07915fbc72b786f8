/// The defaults of a session, which are empty when the session is opened.
///
/// Foundation's defaults belong to the process, so all users would share the same values. This is a subclass, so that a
/// file that imports Foundation and UIKit uses this class, and a file that imports only Foundation can receive an
/// instance.
public final class UserDefaults: Foundation.UserDefaults {
    private var domain: DefaultsDomain

    /// The defaults of the session whose input is being handled; outside of a session, new defaults.
    public override class var standard: UserDefaults { UIKitSession.ofGlobals?.defaults ?? UserDefaults() }

    /// Creates the defaults of a suite, whose instances all share its values; nil selects the standard suite.
    ///
    /// Outside of a session, nothing is shared. Values on the disk are never read.
    public override init?(suiteName: String?) {
        domain = UIKitSession.ofGlobals?.suites.domain(of: suiteName) ?? DefaultsDomain()
        super.init(suiteName: suiteName)
    }

    static func standard(of suites: DefaultsSuites) -> UserDefaults {
        let defaults = UserDefaults()
        defaults.domain = suites.domain(of: nil)
        return defaults
    }

    /// Sets default values, which apply to keys without a value of their own.
    public override func register(defaults: [String: Any]) {
        domain.registered.merge(defaults) { $1 }
    }

    /// Returns the value of a key.
    public override func object(forKey key: String) -> Any? { domain.values[key] ?? domain.registered[key] }

    /// Sets the value of a key; nil removes the value.
    public override func set(_ value: Any?, forKey key: String) { domain.values[key] = value }

    /// Sets the value of a key.
    public override func set(_ value: Int, forKey key: String) { domain.values[key] = value }

    /// Sets the value of a key.
    public override func set(_ value: Float, forKey key: String) { domain.values[key] = Double(value) }

    /// Sets the value of a key.
    public override func set(_ value: Double, forKey key: String) { domain.values[key] = value }

    /// Sets the value of a key.
    public override func set(_ value: Bool, forKey key: String) { domain.values[key] = value }

    /// Sets the value of a key.
    public override func set(_ url: URL?, forKey key: String) { domain.values[key] = url }

    /// Removes the value of a key.
    public override func removeObject(forKey key: String) { domain.values[key] = nil }

    /// Returns the value of a key as a string.
    public override func string(forKey key: String) -> String? {
        switch object(forKey: key) {
        case let text as String: text
        case let number as Int: String(number)
        case let number as Double: String(number)
        default: nil
        }
    }

    /// Returns the value of a key as a Boolean value; `false` if there is none.
    public override func bool(forKey key: String) -> Bool {
        switch object(forKey: key) {
        case let value as Bool: value
        case let number as Int: number != 0
        case let text as String: ["YES", "true", "1"].contains(text)
        default: false
        }
    }

    /// Returns the value of a key as an integer; 0 if there is none.
    public override func integer(forKey key: String) -> Int {
        switch object(forKey: key) {
        case let number as Int: number
        case let number as Double: Int(exactly: number.rounded(.towardZero)) ?? 0
        case let text as String: Int(text) ?? 0
        case let value as Bool: value ? 1 : 0
        default: 0
        }
    }

    /// Returns the value of a key as a number; 0 if there is none.
    public override func double(forKey key: String) -> Double {
        switch object(forKey: key) {
        case let number as Double: number
        case let number as Int: Double(number)
        case let text as String: Double(text) ?? 0
        default: 0
        }
    }

    /// Returns the value of a key as a number; 0 if there is none.
    public override func float(forKey key: String) -> Float { Float(double(forKey: key)) }

    /// Returns the value of a key as data.
    public override func data(forKey key: String) -> Data? { object(forKey: key) as? Data }

    /// Returns the value of a key as a URL.
    public override func url(forKey key: String) -> URL? { object(forKey: key) as? URL }

    /// Returns the value of a key as an array.
    public override func array(forKey key: String) -> [Any]? { object(forKey: key) as? [Any] }

    /// Returns the value of a key as an array of strings.
    public override func stringArray(forKey key: String) -> [String]? { object(forKey: key) as? [String] }

    /// Returns the value of a key as a dictionary.
    public override func dictionary(forKey key: String) -> [String: Any]? { object(forKey: key) as? [String: Any] }

    /// Returns all values.
    public override func dictionaryRepresentation() -> [String: Any] { domain.registered.merging(domain.values) { $1 } }

    /// Removes all values of a suite; the app's identifier names the standard suite.
    public override func removePersistentDomain(forName name: String) {
        let isApp = name == Bundle.main.bundleIdentifier
        (isApp ? domain : UIKitSession.ofGlobals?.suites.known(as: name))?.values = [:]
    }

    /// Does nothing, because no values wait to be written.
    @discardableResult
    public override func synchronize() -> Bool { true }
}

final class DefaultsDomain {
    var values: [String: Any] = [:]
    var registered: [String: Any] = [:]
}

final class DefaultsSuites {
    private var domains: [String?: DefaultsDomain] = [:]

    /// Returns the values of a suite, which are empty at first; nil selects the standard suite.
    func domain(of name: String?) -> DefaultsDomain {
        if let domain = domains[name] { return domain }
        let domain = DefaultsDomain()
        domains[name] = domain
        return domain
    }

    func forgetAll() {
        for domain in domains.values {
            _ = (take(&domain.values, leaving: [:]), take(&domain.registered, leaving: [:]))
        }
    }

    func known(as name: String) -> DefaultsDomain? { domains[name] }
}
