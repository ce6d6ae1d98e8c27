import BrowseAppStoreDomain
import BrowseAppStorePresentation
import BrowseDomain
import BrowsePresentation
import Foundation

extension AppStore.App {
    /// An app with a value for each field.
    static let tea = AppStore.App(id: .init(7), name: "Tea") {
        $0.bundleID = .init(rawValue: "com.example.tea")
        $0.developer = .init(
            name: "Tea House",
            sellerName: "Tea House, Inc.",
            storePage: WebAddress(rawValue: "https://apps.example/developer/id5")
        )
        $0.icon = .init(
            medium: WebAddress(rawValue: "https://i.example/100.png"),
            large: WebAddress(rawValue: "https://i.example/512.png")
        )
        $0.genre = "Food & Drink"
        $0.rating = .init(average: 4.75, count: 12_345)
        $0.ageRating = "4+"
        $0.description = "One.\nTwo.\nThree.\nFour."
        $0.version = "2.10"
        $0.versionDate = Date(timeIntervalSince1970: 1_541_380_730)
        $0.releaseNotes = "Hotter."
        $0.releaseDate = Date(timeIntervalSince1970: 1_215_759_600)
        $0.screenshots = .init(main: ["a", "b", "c"].map { WebAddress(rawValue: "https://i.example/\($0).jpg") })
        $0.price = .init(amount: Decimal(string: "1.99"), currency: "USD", text: "$1.99")
        $0.fileSize = 124_699_648
        $0.minimumOSVersion = "16.0"
        $0.languageCodes = ["fr", "en", "ko"]
        $0.storePage = WebAddress(rawValue: "https://apps.apple.com/us/app/tea/id7")
    }

    /// ``tea`` in the App Store of the United States.
    static var americanTea: AppStore.App {
        var app = tea
        app.id = AppStore.AppID(7, in: .unitedStates)
        return app
    }

    /// An app without optional values.
    static let bare = AppStore.App(id: .init(8), name: "Bare")

    static func numbered(_ number: Int) -> AppStore.App {
        AppStore.App(id: .init(Int64(number)), name: "App \(number)")
    }
}

extension AppStore.AppReference {
    static let tea = AppStore.AppReference.id(.init(7))
    static let bare = AppStore.AppReference.id(.init(8))
}

extension AppDetailViewModel {
    /// Shows a copy of an app, and looks the app up.
    func show(_ app: AppStore.App) {
        showIfNeeded(EntityPreview(app))
        Task { await showIfNeeded(app.id) }
    }
}
