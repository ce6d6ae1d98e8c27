public import BrowseKit
public import SwiftUI

/// The app: a tab for each service, and one for favorites.
public struct BrowseTabs: View {
    private let container: Container
    private let texts: Texts

    /// Creates the tabs.
    ///
    /// - Parameter container: Creates the view models.
    public init(container: Container) {
        self.container = container
        texts = container.texts()
    }

    /// The tabs.
    public var body: some View {
        TabView {
            Tab(texts(.followersTab), systemImage: "person.2") {
                RouteStack(container: container) { FollowerSearchView(container: container) }
            }
            Tab(texts(.repositoriesTab), systemImage: "magnifyingglass") {
                RouteStack(container: container) { RepoSearchView(container: container) }
            }
            Tab(texts(.favoritesTab), systemImage: "heart") {
                RouteStack(container: container) { FavoriteListView(container: container) }
            }
            Tab(texts(.charactersTab), systemImage: "sparkles.tv") {
                RouteStack(container: container) { CharacterListView(container: container) }
            }
            Tab(texts(.appStoreTab), systemImage: "square.stack.3d.up") {
                RouteStack(container: container) { AppSearchView(container: container) }
            }
        }
        .tabViewStyle(.sidebarAdaptable)
        .environment(\.texts, texts)
    }
}
