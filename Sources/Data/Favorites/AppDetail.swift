import BrowseDomain
import Foundation

/// What an app's favourite keeps beside its columns: all that the shop told, so that its page needs no network.
struct AppDetail: Codable {
    struct Developer: Codable {
        let name: String
        let sellerName: String?
        let storePage: String?
        let webPage: String?
    }

    struct Icon: Codable {
        let small: String?
        let medium: String?
        let large: String?
    }

    struct Rating: Codable {
        let average: Double
        let count: Int?
    }

    struct Screenshots: Codable {
        let main: [String]
        let iPad: [String]
        let appleTV: [String]
    }

    struct Price: Codable {
        /// The exact amount, as digits.
        let amount: String?
        let currency: String?
        let text: String?
    }

    let bundleID: String?
    let developer: Developer?
    let icon: Icon
    let genre: String?
    let genres: [String]
    let rating: Rating?
    let ageRating: String?
    let advisories: [String]
    let description: String?
    let version: String?
    let versionDate: Double?
    let releaseNotes: String?
    let releaseDate: Double?
    let screenshots: Screenshots
    let price: Price?
    let fileSize: Int64?
    let minimumOSVersion: String?
    let languageCodes: [String]
}

extension AppDetail {
    init(_ app: AppStore.App) {
        func texts(_ addresses: [WebAddress]) -> [String] { addresses.map(\.rawValue) }
        bundleID = app.bundleID.map { "\($0)" }
        developer = app.developer.map {
            Developer(
                name: $0.name,
                sellerName: $0.sellerName,
                storePage: $0.storePage?.rawValue,
                webPage: $0.webPage?.rawValue
            )
        }
        icon = Icon(
            small: app.icon.small?.rawValue,
            medium: app.icon.medium?.rawValue,
            large: app.icon.large?.rawValue
        )
        genre = app.genre
        genres = app.genres
        rating = app.rating.map { Rating(average: $0.average, count: $0.count) }
        ageRating = app.ageRating
        advisories = app.advisories
        description = app.description
        version = app.version
        versionDate = app.versionDate?.storedSeconds
        releaseNotes = app.releaseNotes
        releaseDate = app.releaseDate?.storedSeconds
        screenshots = Screenshots(
            main: texts(app.screenshots.main),
            iPad: texts(app.screenshots.iPad),
            appleTV: texts(app.screenshots.appleTV)
        )
        price = app.price.map { Price(amount: $0.amount.map { "\($0)" }, currency: $0.currency, text: $0.text) }
        fileSize = app.fileSize
        minimumOSVersion = app.minimumOSVersion
        languageCodes = app.languageCodes
    }

    func app(id: AppStore.AppID, name: String, storePage: WebAddress?) -> AppStore.App {
        func address(_ text: String?) -> WebAddress? { text.map(WebAddress.init(rawValue:)) }
        func addresses(_ texts: [String]) -> [WebAddress] { texts.map(WebAddress.init(rawValue:)) }
        return AppStore.App(
            id: id,
            name: name,
            bundleID: bundleID.map(AppStore.BundleID.init(rawValue:)),
            developer: developer.map {
                AppStore.App.Developer(
                    name: $0.name,
                    sellerName: $0.sellerName,
                    storePage: address($0.storePage),
                    webPage: address($0.webPage)
                )
            },
            icon: AppStore.App.Icon(
                small: address(icon.small),
                medium: address(icon.medium),
                large: address(icon.large)
            ),
            genre: genre,
            genres: genres,
            rating: rating.map { AppStore.Rating(average: $0.average, count: $0.count) },
            ageRating: ageRating,
            advisories: advisories,
            description: description,
            version: version,
            versionDate: versionDate.map(Date.init(timeIntervalSince1970:)),
            releaseNotes: releaseNotes,
            releaseDate: releaseDate.map(Date.init(timeIntervalSince1970:)),
            screenshots: AppStore.App.Screenshots(
                main: addresses(screenshots.main),
                iPad: addresses(screenshots.iPad),
                appleTV: addresses(screenshots.appleTV)
            ),
            price: price.flatMap {
                AppStore.App.Price(
                    amount: $0.amount.flatMap { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) },
                    currency: $0.currency,
                    text: $0.text
                )
            },
            fileSize: fileSize,
            minimumOSVersion: minimumOSVersion,
            languageCodes: languageCodes,
            storePage: storePage
        )
    }
}
