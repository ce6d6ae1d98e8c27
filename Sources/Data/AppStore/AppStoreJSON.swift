import BrowseAppStoreDomain
@_spi(Services) import BrowseData
@_spi(Services) import BrowseDomain

extension AppStore.App {
    /// Reads a row of a response of the iTunes Search API.
    init(_ json: KeyedDecodingContainer<JSONKey>) throws {
        self.init(
            id: AppStore.AppID(try json.required("trackId")),
            name: try json["trackName"] ?? json["trackCensoredName"] ?? json.required("trackName")
        ) {
            $0.bundleID = json["bundleId"].map(AppStore.BundleID.init(rawValue:))
            $0.developer = Developer(json)
            $0.icon = Icon(
                small: json[address: "artworkUrl60"],
                medium: json[address: "artworkUrl100"],
                large: json[address: "artworkUrl512"]
            )
            $0.genre = json["primaryGenreName"]
            $0.rating = json["averageUserRating"].map { AppStore.Rating(average: $0, count: json["userRatingCount"]) }
            $0.ageRating = json["trackContentRating"] ?? json["contentAdvisoryRating"]
            $0.description = json["description"]
            $0.version = json["version"]
            $0.versionDate = json[date: "currentVersionReleaseDate"]
            $0.releaseNotes = json["releaseNotes"]
            $0.releaseDate = json[date: "releaseDate"]
            $0.screenshots = Screenshots(
                main: json[addresses: "screenshotUrls"],
                iPad: json[addresses: "ipadScreenshotUrls"],
                appleTV: json[addresses: "appletvScreenshotUrls"]
            )
            $0.price = Price(amount: json["price"], currency: json["currency"], text: json["formattedPrice"])
            $0.fileSize = json["fileSizeBytes"].flatMap(Self.bytes)
            // Apps only for Apple TV, Vision Pro, or the watch have the same kind as those for iOS.
            let devices: [String] = json[list: "supportedDevices"]
            let others = ["AppleTV", "RealityDevice", "Watch"]
            let isForOthers = devices.allSatisfy { device in others.contains { device.hasPrefix($0) } }
            $0.platform = devices.isEmpty || !isForOthers ? json["kind"].flatMap(Platform.init) : nil
            $0.minimumOSVersion = json["minimumOsVersion"]
            $0.languageCodes = json[list: "languageCodesISO2A"]
            $0.storePage = json[address: "trackViewUrl"]
        }
    }

    /// Parses a size in bytes, which the API sends as text; `nil` if it isn't a whole number.
    private static func bytes(_ text: String) -> Int64? {
        text.utf8.allSatisfy(\.isASCIIDigit) ? Int64(text) : nil
    }
}

extension AppStore.App.Developer {
    /// Creates a developer; `nil` if both the name and the seller are missing or blank.
    fileprivate init?(_ json: KeyedDecodingContainer<JSONKey>) {
        let seller: String? = json["sellerName"]
        guard let name: String = json["artistName"] ?? seller else { return nil }
        self.init(
            name: name,
            sellerName: seller,
            storePage: json[address: "artistViewUrl"],
            webPage: json[address: "sellerUrl"]
        )
    }
}
