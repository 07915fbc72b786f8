import Usher

/// The tab with the search.
final class SearchCoordinator: Coordinator<Never> {
    override func start() {
        push(SearchScreen())
    }
}
