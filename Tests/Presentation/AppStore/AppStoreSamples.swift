import BrowseAppStoreDomain
import BrowseDomain
import Foundation

extension AppStore.App {
    /// An app with a value for each field.
    static let tea = AppStore.App(
        id: .init(7),
        name: "Tea",
        bundleID: .init(rawValue: "com.example.tea"),
        developer: .init(
            name: "Tea House",
            sellerName: "Tea House, Inc.",
            storePage: WebAddress(rawValue: "https://apps.example/developer/id5")
        ),
        icon: .init(
            medium: WebAddress(rawValue: "https://i.example/100.png"),
            large: WebAddress(rawValue: "https://i.example/512.png")
        ),
        genre: "Food & Drink",
        rating: .init(average: 4.75, count: 12_345),
        ageRating: "4+",
        description: "One.\nTwo.\nThree.\nFour.",
        version: "2.10",
        versionDate: Date(timeIntervalSince1970: 1_541_380_730),
        releaseNotes: "Hotter.",
        releaseDate: Date(timeIntervalSince1970: 1_215_759_600),
        screenshots: .init(main: ["a", "b", "c"].map { WebAddress(rawValue: "https://i.example/\($0).jpg") }),
        price: .init(amount: Decimal(string: "1.99"), currency: "USD", text: "$1.99"),
        fileSize: 124_699_648,
        minimumOSVersion: "16.0",
        languageCodes: ["fr", "en", "ko"],
        storePage: WebAddress(rawValue: "https://apps.apple.com/us/app/tea/id7")
    )

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
