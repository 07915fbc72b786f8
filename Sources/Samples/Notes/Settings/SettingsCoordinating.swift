/// The ways out of the settings, as their view model knows them.
protocol SettingsCoordinating: AnyObject {
    func close()
}
