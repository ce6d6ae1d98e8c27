import BrowseAppStoreDomain
import BrowseDomain
public import BrowsePresentation

// swift-format-ignore
extension Phrase {
    static let apps = Phrase("favorites.apps.title", "Apps", ko: "앱")
}

extension FavoriteKind {
    /// The App Store's apps.
    public static let appStore: [FavoriteKind] = [
        FavoriteKind(AppStore.App.self, title: .apps) { .appStore(.app($0.id, preview: $0)) }
    ]
}
