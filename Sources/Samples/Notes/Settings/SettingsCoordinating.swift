/// The exits of the settings, as their view model uses them.
protocol SettingsCoordinating: AnyObject {
    func close()
}
