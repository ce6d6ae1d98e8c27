public import BrowseKit
import BrowseSwiftUI
public import SwiftUI

/// The app: a tab for each service, and one for favorites.
///
/// The system restores the tab and the screens of each tab.
public struct BrowseTabs: View {
    private let container: Container
    private let texts: Texts
    @Environment(\.scenePhase) private var scenePhase
    @SceneStorage("tab") private var selection: BrowseTab = .followers

    /// Creates the tabs.
    ///
    /// - Parameter container: Creates the view models.
    public init(container: Container) {
        self.container = container
        texts = container.texts()
    }

    /// The tabs.
    public var body: some View {
        TabView(selection: $selection) {
            tab(.followers) { FollowerSearchView(container: container) }
            tab(.repositories) { RepoSearchView(container: container) }
            tab(.favorites) { FavoriteListView(container: container) }
            tab(.characters) { CharacterListView(container: container) }
            tab(.appStore) { AppSearchView(container: container) }
        }
        .tabViewStyle(.sidebarAdaptable)
        .focusedSceneValue(\.selectedTab, $selection)
        .task { await container.gitHubSession().start() }
        .onChange(of: scenePhase) {
            // A widget can have changed the favorites meanwhile.
            if scenePhase == .active { Task { await container.appDidBecomeActive() } }
        }
        .environment(\.texts, texts)
    }

    private func tab(_ tab: BrowseTab, @ViewBuilder root: () -> some View) -> some TabContent<BrowseTab> {
        Tab(texts(tab.title), systemImage: tab.symbol, value: tab) {
            BrowseStack(container: container, restoredAs: tab.rawValue, root: root)
        }
    }
}

/// A tab of the app.
enum BrowseTab: String, CaseIterable {
    case followers, repositories, favorites, characters, appStore

    var title: Phrase {
        switch self {
        case .followers: .followersTab
        case .repositories: RepoSearchViewModel.title
        case .favorites: FavoriteListViewModel.title
        case .characters: CharacterRow.listTitle
        case .appStore: AppSearchViewModel.title
        }
    }

    /// The name of a system image.
    var symbol: String {
        switch self {
        case .followers: "person.2"
        case .repositories: "magnifyingglass"
        case .favorites: "heart"
        case .characters: "sparkles.tv"
        case .appStore: "square.stack.3d.up"
        }
    }

    /// The key that selects the tab, with Command.
    var key: KeyEquivalent {
        switch self {
        case .followers: "1"
        case .repositories: "2"
        case .favorites: "3"
        case .characters: "4"
        case .appStore: "5"
        }
    }
}
