#if canImport(SwiftUI)
    public import SwiftUI

    /// A SwiftUI view of a session: a navigation stack for each layer, and modals above each other.
    public struct SessionView<Content: View>: View {
        @SwiftUI.State private var driver: NavigationDriver
        private let content: (Screen, NavigationDriver) -> Content

        /// - Parameter content: Creates the view of a screen, for example with a `ScreenRegistry`.
        public init(
            _ session: Session,
            @ViewBuilder content: @escaping (_ screen: Screen, _ driver: NavigationDriver) -> Content
        ) {
            _driver = SwiftUI.State(initialValue: NavigationDriver(session))
            self.content = content
        }

        /// The layers, with the task that follows the session.
        public var body: some View {
            Group {
                if driver.layers.first != nil { LayerView(driver: driver, depth: 0, content: content) }
            }
            .task { await driver.follow() }
        }
    }

    /// A layer and the layers above it.
    private struct LayerView<Content: View>: View {
        let driver: NavigationDriver
        let depth: Int
        let content: (Screen, NavigationDriver) -> Content

        private var layer: NavigationModel.Layer? { driver.layers.count > depth ? driver.layers[depth] : nil }
        private var above: NavigationModel.Layer? { driver.layers.count > depth + 1 ? driver.layers[depth + 1] : nil }

        var body: some View {
            if let layer {
                NavigationStack(path: path(of: layer)) {
                    content(layer.root, driver).navigationDestination(for: Int.self) { id in
                        if let screen = driver.session.state.stack.first(where: { $0.id == id }) {
                            content(screen, driver)
                        }
                    }
                }
                .sheet(isPresented: isPresented(covering: false)) { next }
                #if os(iOS) || os(tvOS) || os(visionOS)
                    .fullScreenCover(isPresented: isPresented(covering: true)) { next }
                #endif
            }
        }

        private var next: some View {
            AnyView(LayerView(driver: driver, depth: depth + 1, content: content))
                .interactiveDismissDisabled(above?.isClosable != true)
        }

        private func path(of layer: NavigationModel.Layer) -> Binding<[Int]> {
            Binding(get: { layer.pathIDs }, set: { driver.setPath($0, of: layer.id) })
        }

        /// Returns whether the layer above is presented, as a cover or as a sheet.
        private func isPresented(covering: Bool) -> Binding<Bool> {
            #if os(iOS) || os(tvOS) || os(visionOS)
                let isCover = above.map { [.fullScreen, .overFullScreen].contains($0.shown) } ?? false
            #else
                let isCover = false
            #endif
            let shown = above?.id
            return Binding(
                get: { above != nil && isCover == covering },
                set: { if !$0, let shown { driver.dismiss(shown) } })
        }
    }
#endif
