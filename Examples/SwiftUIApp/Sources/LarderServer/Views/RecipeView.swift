import SwiftUI
import Usher

/// A recipe, or the reason why it could not be loaded.
struct RecipeScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable {
        case retry, toggleFavourite, cook
    }

    let details: RecipeDetails?
    let failure: String?
    let isFavourite: Bool
}

/// On a phone this structure has a body; here it has a screen.
struct RecipeView: ScreenView {
    @ObservedObject var viewModel: RecipeViewModel

    var content: RecipeScreen {
        switch viewModel.state {
        case .loading: RecipeScreen(details: nil, failure: nil, isFavourite: viewModel.isFavourite)
        case .loaded(let details): RecipeScreen(details: details, failure: nil, isFavourite: viewModel.isFavourite)
        case .failed(let text): RecipeScreen(details: nil, failure: text, isFavourite: viewModel.isFavourite)
        }
    }

    func handle(_ event: RecipeScreen.Event) {
        switch event {
        case .retry: viewModel.load()
        case .toggleFavourite: viewModel.toggleFavourite()
        case .cook: viewModel.cook()
        }
    }
}

/// A countdown timer.
struct KitchenTimerScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable {
        case toggle, close
    }

    let title: String
    let secondsLeft: Int
    let isRunning: Bool
}

/// On a phone this structure has a body; here it has a screen.
struct KitchenTimerView: ScreenView {
    @StateObject var viewModel: KitchenTimerViewModel
    let title: String

    var content: KitchenTimerScreen {
        KitchenTimerScreen(title: title, secondsLeft: viewModel.secondsLeft, isRunning: viewModel.isRunning)
    }

    func handle(_ event: KitchenTimerScreen.Event) {
        switch event {
        case .toggle: viewModel.toggle()
        case .close: viewModel.close()
        }
    }
}
