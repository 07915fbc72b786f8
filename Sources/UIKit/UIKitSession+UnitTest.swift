extension UIKitSession {
    /// The session whose globals the code uses: the current session, or else the session of `withGlobals(_:_:)`.
    nonisolated static var ofGlobals: UIKitSession? { current ?? UnitTestSession.value }

    /// Runs an app's unit test outside a session, with globals of its own.
    ///
    /// `UIApplication.shared`, `UserDefaults.standard`, `NotificationCenter.default`, `UIPasteboard.general`,
    /// `UIDevice.current`, `Locale.current` and `TimeZone.current` return objects that only this test uses. Windows that
    /// the test makes visible belong to its application. There is no `current` session: completions run immediately,
    /// and the process runs queues, timers and tasks.
    ///
    /// ```swift
    /// override func invokeTest() { UIKitSession.withGlobals { super.invokeTest() } }
    /// ```
    public nonisolated static func withGlobals<Value>(
        _ settings: UIKitSettings = UIKitSettings(), _ test: () throws -> Value
    ) rethrows -> Value {
        try UnitTestSession.$value.withValue(unattached(settings), operation: test)
    }

    /// Runs an app's asynchronous unit test outside a session, with globals of its own.
    public static func withGlobals<Value>(
        _ settings: UIKitSettings = UIKitSettings(), isolation: isolated (any Actor)? = #isolation,
        _ test: () async throws -> Value
    ) async rethrows -> Value {
        try await UnitTestSession.$value.withValue(unattached(settings), operation: test, isolation: isolation)
    }

    /// Creates a session without a coordinator, which handles no inputs.
    private nonisolated static func unattached(_ settings: UIKitSettings) -> UIKitSession {
        MainActor.assumeIsolated { UIKitSession(settings) }
    }
}

/// The session of a unit test, which is never the current session.
private enum UnitTestSession {
    @TaskLocal
    static var value: UIKitSession?
}
