/// The defaults of a session: what an app keeps under keys, empty when the session is opened.
///
/// Foundation's would be the process's, and so one user's values every user's. A subclass, so that a file which imports
/// Foundation beside UIKit means this one, and one which imports Foundation alone takes it where it is handed in.
public final class UserDefaults: Foundation.UserDefaults {
    private var domain: DefaultsDomain

    /// The defaults of the session whose input is handled; outside of one, defaults that nobody else has.
    public override class var standard: UserDefaults { UIKitSession.current?.defaults ?? UserDefaults() }

    /// Makes the session's defaults of a suite, which all of its instances share; without a name the standard ones.
    ///
    /// Outside of a session they are nobody else's. What is kept on the disk is never asked for.
    public override init?(suiteName: String?) {
        domain = UIKitSession.current?.suites.domain(of: suiteName) ?? DefaultsDomain()
        super.init(suiteName: suiteName)
    }

    /// The standard defaults of a session with these suites.
    static func standard(of suites: DefaultsSuites) -> UserDefaults {
        let defaults = UserDefaults()
        defaults.domain = suites.domain(of: nil)
        return defaults
    }

    /// Sets what is said of keys that have no value.
    public override func register(defaults: [String: Any]) {
        domain.registered.merge(defaults) { $1 }
    }

    /// The value of a key.
    public override func object(forKey key: String) -> Any? { domain.values[key] ?? domain.registered[key] }

    /// Sets the value of a key; nil removes it.
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

    /// The value of a key as a text.
    public override func string(forKey key: String) -> String? {
        switch object(forKey: key) {
        case let text as String: text
        case let number as Int: String(number)
        case let number as Double: String(number)
        default: nil
        }
    }

    /// The value of a key as a truth value; false for none.
    public override func bool(forKey key: String) -> Bool {
        switch object(forKey: key) {
        case let value as Bool: value
        case let number as Int: number != 0
        case let text as String: ["YES", "true", "1"].contains(text)
        default: false
        }
    }

    /// The value of a key as a whole number; 0 for none.
    public override func integer(forKey key: String) -> Int {
        switch object(forKey: key) {
        case let number as Int: number
        case let number as Double: Int(exactly: number.rounded(.towardZero)) ?? 0
        case let text as String: Int(text) ?? 0
        case let value as Bool: value ? 1 : 0
        default: 0
        }
    }

    /// The value of a key as a number; 0 for none.
    public override func double(forKey key: String) -> Double {
        switch object(forKey: key) {
        case let number as Double: number
        case let number as Int: Double(number)
        case let text as String: Double(text) ?? 0
        default: 0
        }
    }

    /// The value of a key as a number; 0 for none.
    public override func float(forKey key: String) -> Float { Float(double(forKey: key)) }

    /// The value of a key as bytes.
    public override func data(forKey key: String) -> Data? { object(forKey: key) as? Data }

    /// The value of a key as a link.
    public override func url(forKey key: String) -> URL? { object(forKey: key) as? URL }

    /// The value of a key as a list.
    public override func array(forKey key: String) -> [Any]? { object(forKey: key) as? [Any] }

    /// The value of a key as a list of texts.
    public override func stringArray(forKey key: String) -> [String]? { object(forKey: key) as? [String] }

    /// The value of a key as a dictionary.
    public override func dictionary(forKey key: String) -> [String: Any]? { object(forKey: key) as? [String: Any] }

    /// All values.
    public override func dictionaryRepresentation() -> [String: Any] { domain.registered.merging(domain.values) { $1 } }

    /// Forgets all values of a suite; the standard ones by the app's identifier.
    public override func removePersistentDomain(forName name: String) {
        let isApp = name == Bundle.main.bundleIdentifier
        (isApp ? domain : UIKitSession.current?.suites.known(as: name))?.values = [:]
    }

    /// Nothing waits to be written.
    @discardableResult
    public override func synchronize() -> Bool { true }
}

/// The values of a suite of defaults.
final class DefaultsDomain {
    var values: [String: Any] = [:]
    var registered: [String: Any] = [:]
}

/// The suites of a session's defaults.
final class DefaultsSuites {
    private var domains: [String?: DefaultsDomain] = [:]

    /// The values of a suite, empty at first; without a name the standard ones.
    func domain(of name: String?) -> DefaultsDomain {
        if let domain = domains[name] { return domain }
        let domain = DefaultsDomain()
        domains[name] = domain
        return domain
    }

    /// Releases all values at the end of the session.
    func forgetAll() {
        for domain in domains.values {
            _ = (take(&domain.values, leaving: [:]), take(&domain.registered, leaving: [:]))
        }
    }

    /// The values of a suite that somebody has asked for.
    func known(as name: String) -> DefaultsDomain? { domains[name] }
}
