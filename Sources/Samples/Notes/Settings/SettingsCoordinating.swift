/// Where the settings lead, as their view model knows it.
protocol SettingsCoordinating: AnyObject {
    func close()
}
