/// The ways to leave the settings, which their view model calls.
protocol SettingsCoordinating: AnyObject {
    func close()
}
