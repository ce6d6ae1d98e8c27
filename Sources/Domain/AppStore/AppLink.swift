@_spi(Services) import BrowseDomain

/// A link to an app, found in pasted text.
///
/// Share sheets add text around links, and copying from a page adds punctuation and invisible
/// characters. `URL` isn't used, because it rejects links that the App Store accepts, such as those
/// with a Korean name. The links are never opened.
struct AppLink {
    typealias ValidationError = AppStore.AppReference.ValidationError

    /// The app's number in digits, not validated yet.
    let number: Substring
    /// The country in the link's path, or its parameter `cc` or `country`; `nil` if there is none
    /// with a store.
    let country: AppStore.Country?

    /// Finds the first link to an app in a string; `nil` if the text has no link.
    ///
    /// - Throws: ``AppStore/AppReference/ValidationError`` if no link leads to an app: the error of
    ///   the first App Store link, or else of the first link.
    static func first(in text: String) throws(ValidationError) -> AppLink? {
        var refusal: ValidationError?
        for link in links(in: text.joiningWrappedAddresses) {
            do throws(ValidationError) {
                return try AppLink(link.trimmedAfterLink)
            } catch .foreignLink(let host) {
                refusal = refusal ?? .foreignLink(host: host)
            } catch {
                if case nil = refusal { refusal = error }
                if case .foreignLink = refusal { refusal = error }
            }
        }
        if let refusal { throw refusal }
        return nil
    }

    /// Returns the first words that contain a link, with or without a scheme.
    ///
    /// Without one, a word with an App Store host or a path counts as a link.
    private static func links(in text: String) -> [Substring] {
        let links = text.split(whereSeparator: \.isWhitespace).lazy.compactMap { word -> Substring? in
            if let colon = word.firstRange(of: "://")?.lowerBound {
                let gap = word[..<colon].lastIndex { $0.asciiByte?.isASCIILetterOrDigit != true && !"+-.".contains($0) }
                return gap.map { word[$0...].dropFirst() } ?? word
            }
            let start = word.drop(while: \.isLinkEdge)
            let host = start.prefix { !"/?#:".contains($0) }.trimmedAfterLink
            return hosts.contains(host.lowercased()) ? start : word.contains("/") && !start.isEmpty ? word : nil
        }
        return Array(links.prefix(maximumCount))
    }
}

extension AppLink {
    private init(_ word: Substring) throws(ValidationError) {
        var rest = word
        var scheme = "https"
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
            scheme = rest[..<colon].lowercased()
            rest = rest[colon...].dropFirst(3)
        } else if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
        }
        let authority = rest.prefix { !"/?#".contains($0) }
        // A user name before an "@" can look like a host.
        let address = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let parts = address.lowercased().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let host = parts.first.map(String.init) ?? ""
        let isShop = Self.hosts.contains(host) || (host == "apple.com" && scheme.hasPrefix("itms-apps"))
        guard isShop, Self.schemes.contains(scheme), address == authority else { throw .foreignLink(host: host) }
        rest = rest.dropFirst(authority.count)
        let path = rest.prefix { !"?#".contains($0) }
        let query = rest.dropFirst(path.count).dropFirst().prefix { $0 != "#" }
        number = try Self.number(inPath: path, query: query)
        let isCode = { (item: Substring) in item.hasPrefix("cc=") || item.hasPrefix("country=") }
        let code = query.split(separator: "&").first(where: isCode)?.split(separator: "=").last
        country =
            [path.split(separator: "/").first, code].lazy.compactMap {
                $0.flatMap { AppStore.Country.serving(String($0)) }
            }
            .first
    }

    /// Returns the number in `/us/app/name/id123`, `/us/id123`, `/…/viewSoftware?id=123`, or a
    /// link to reviews.
    ///
    /// Links to developers, stories, and bundles also have numbers, but not the path component
    /// `app`.
    private static func number(inPath path: Substring, query: Substring) throws(ValidationError) -> Substring {
        var segments = path.split(separator: "/")
        if ["viewsoftware", "viewcontentsuserreviews", "lookup"].contains(segments.last?.lowercased()) {
            let items = query.split(separator: "&")
            guard let item = items.first(where: { $0.hasPrefix("id=") && $0.count > 3 }) else { throw .noIDInLink }
            return item.dropFirst(3)
        }
        if segments.first?.utf8.count == 2 { segments.removeFirst() }
        if segments.dropFirst().first?.lowercased() == "app", platforms.contains(segments[0].lowercased()) {
            segments.removeFirst()
        }
        let isApp = segments.first?.lowercased() == "app" || segments.count == 1
        // The app's name, which precedes the number, can look like one, such as "id7".
        let candidates = isApp ? segments.filter(\.startsLikeAppID) : []
        guard let last = candidates.last else { throw .noIDInLink }
        return (candidates.last { $0.isAppID } ?? last).dropFirst(2)
    }

    /// The maximum number of links, which bounds the parsing time.
    private static let maximumCount = 16
    private static let hosts: Set<String> = [
        "apps.apple.com", "itunes.apple.com", "geo.itunes.apple.com", "ax.itunes.apple.com", "phobos.apple.com",
        "appstore.com", "www.appstore.com", "appsto.re",
    ]
    /// The schemes that open the App Store.
    private static let schemes: Set<String> = [
        "https", "http", "itms", "itmss", "itms-apps", "itms-appss", "macappstore", "macappstores",
    ]
    /// The segments before `app` of an app's page for one platform.
    private static let platforms: Set<String> = ["iphone", "ipad", "mac", "tv", "vision", "watch"]
}

extension StringProtocol {
    /// Whether this is `id` and digits, ignoring case.
    var isAppID: Bool { startsLikeAppID && dropFirst(2).utf8.allSatisfy(\.isASCIIDigit) }

    /// Whether this starts with `id`, ignoring case, and a digit of any script.
    fileprivate var startsLikeAppID: Bool {
        prefix(2).lowercased() == "id" && dropFirst(2).first?.isNumber == true
    }
}

extension Substring {
    /// The text without trailing characters that belong to the sentence around a link.
    fileprivate var trimmedAfterLink: Substring {
        let end = lastIndex { !$0.isLinkEdge && ($0.isASCII || !$0.isLetter) }
        return end.map { self[...$0] } ?? self[startIndex..<startIndex]
    }
}

extension Character {
    /// Whether this can be next to a link without being part of it.
    fileprivate var isLinkEdge: Bool {
        ".,;:!?()[]{}<>\"'*_~|`“”‘’«»‹›「」『』【】《》、。，！？…".contains(self)
            || isWhitespace
    }
}
