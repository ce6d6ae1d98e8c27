public import BrowseAppStoreDomain
import BrowseDomain
public import BrowsePresentation

extension AppStore {
    /// A screen of the App Store.
    public enum Screen: RouteDestination {
        /// The product page of an app: ``AppDetailViewModel``.
        case app(App)
        /// The screenshots of an app: ``ScreenshotGalleryViewModel``.
        case screenshotGallery(ScreenshotGallery)

        /// `app-store`.
        public static let routeName: String = "app-store"
    }
}

extension Route {
    /// A screen of the App Store.
    public static func appStore(_ screen: AppStore.Screen) -> Route { .other(Destination(screen)) }
}
