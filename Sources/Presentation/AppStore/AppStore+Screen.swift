public import BrowseAppStoreDomain
public import BrowsePresentation

extension AppStore {
    /// A screen of the App Store, with a preview of the app, if it's known already.
    public enum Screen: RouteDestination {
        /// The product page of an app: ``AppDetailViewModel``.
        case app(AppID, preview: EntityPreview<App>? = nil)
        /// The screenshots of an app, opened at a position: ``AppDetailViewModel``.
        case screenshotGallery(AppID, position: Int = 0, preview: EntityPreview<App>? = nil)

        /// The first segment of the paths, `app-store`.
        public static let routeName: String = "app-store"

        /// `apps`, and the number and country of the app, alone or before `screenshots` and the
        /// position.
        public var routePath: [String] {
            switch self {
            case .app(let id, _): ["apps", id.description]
            case .screenshotGallery(let id, let position, _): ["apps", id.description, "screenshots", String(position)]
            }
        }

        /// Creates a screen from its ``routePath``.
        public init?(routePath path: [String]) {
            guard path.count >= 2, path[0] == "apps", let id = AppID(path[1]), id.number > 0 else { return nil }
            if path.count == 2 {
                self = .app(id)
            } else if let position = Int(path[path.count - 1]), position >= 0 {
                self = .screenshotGallery(id, position: position)
            } else {
                return nil
            }
        }
    }
}

extension AppStore.Screen: Hashable {
    /// Compares the paths, and no previews.
    public static func == (left: Self, right: Self) -> Bool { left.routePath == right.routePath }

    /// Hashes the path.
    public func hash(into hasher: inout Hasher) { hasher.combine(routePath) }
}

extension Route {
    /// A screen of the App Store.
    public static func appStore(_ screen: AppStore.Screen) -> Route { .other(Destination(screen)) }
}

// swift-format-ignore
extension Phrase {
    static let apps = Phrase("favorites.apps.title", "Apps", ko: "앱")
}

extension FavoriteKind {
    /// The App Store's apps.
    package static let appStore: [FavoriteKind] = [
        FavoriteKind(AppStore.App.self, title: .apps) { .appStore(.app($0.id, preview: EntityPreview($0))) }
    ]
}
