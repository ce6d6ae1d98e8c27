import BrowseAppStoreDomain
import BrowseDomain
import BrowseGitHubDomain
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

@Suite(.bounded) struct `Favoritable entity` {
    private static func address(_ path: String) -> WebAddress { WebAddress(rawValue: "https://example.com/" + path) }

    private static let user = GitHub.User(
        id: .init(rawValue: .max),
        login: .init("mona"),
        avatar: address("a"),
        webPage: address("b"),
        kind: .bot
    )
    private static let repo = GitHub.Repo(id: .init(rawValue: 2), name: "tea", fullName: "mona/tea") {
        $0.owner = user
        $0.summary = "말 \u{0}"
        $0.language = "Swift"
        $0.topics = ["a"]
        $0.license = GitHub.Repo.License(name: "MIT License", spdxID: "MIT")
        $0.starCount = 1
        $0.forkCount = 2
        $0.isFork = true
        $0.isArchived = true
        $0.isPrivate = true
        $0.updatedAt = Date(timeIntervalSince1970: 1_700_000_000.3)
        $0.webPage = address("r")
    }
    private static let character = RickAndMorty.Character(id: .init(rawValue: 3), name: "Rick") {
        $0.status = .alive
        $0.species = "Human"
        $0.type = "x"
        $0.gender = .male
        $0.origin = .init(name: "Earth", id: .init(rawValue: 1))
        $0.location = .init(name: "Citadel", id: .init(rawValue: 2))
        $0.image = address("i")
        $0.episodes = [.init(rawValue: 1)]
        $0.created = Date(timeIntervalSince1970: 1_509_815_000.5)
    }
    private static let app = AppStore.App(id: AppStore.AppID(4, in: .southKorea), name: "Maps") {
        $0.bundleID = AppStore.BundleID(rawValue: "a.b")
        $0.developer = .init(name: "d", sellerName: "s", storePage: address("d"), webPage: address("w"))
        $0.icon = .init(small: address("s"), medium: address("m"), large: address("l"))
        $0.genre = "g"
        $0.rating = AppStore.Rating(average: 4.7, count: 3)
        $0.ageRating = "4+"
        $0.description = "d"
        $0.version = "1"
        $0.versionDate = Date(timeIntervalSince1970: 0.1)
        $0.releaseNotes = "n"
        $0.releaseDate = Date(timeIntervalSince1970: -1)
        $0.screenshots = .init(main: [address("1")], iPad: [address("2")], appleTV: [address("3")])
        $0.price = .init(amount: Decimal(string: "1234567890.01"), currency: "KRW", text: "₩1")
        $0.fileSize = .max
        $0.platform = .mac
        $0.minimumOSVersion = "13.0"
        $0.languageCodes = ["ko"]
        $0.storePage = address("p")
    }

    /// Every property must have a value, or the round trip proves nothing about it.
    private func expectComplete(_ value: Any, _ path: String) {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional || mirror.displayStyle == .collection {
            #expect(!mirror.children.isEmpty, "\(path) isn't set")
        }
        for child in mirror.children { expectComplete(child.value, "\(path).\(child.label ?? "")") }
    }

    private func expectRoundTrip<Value: Favoritable & Equatable>(_ value: Value) throws {
        expectComplete(value, "\(Value.self)")
        let favorite = Favorite(value)
        let payload = try #require(favorite.payload)
        #expect(payload.version == Value.favoriteVersion)
        let stored = Favorite(id: favorite.id, title: favorite.title, image: favorite.image, payload: payload)
        #expect(stored.value(as: Value.self) == value)
        #expect(favorite.value(as: Value.self) == value)
        #expect(stored == favorite && stored.hashValue == favorite.hashValue)
        #expect(stored.id == value.favoriteID && value.favoriteImage != nil)
    }

    @Test func `preserves every property when it is stored`() throws {
        try expectRoundTrip(Self.user)
        try expectRoundTrip(Self.repo)
        try expectRoundTrip(Self.character)
        try expectRoundTrip(Self.app)
    }

    private struct Coin: Favoritable, Equatable {
        static let favoriteKind = Favorite.Kind(rawValue: "example.coin")
        static let favoriteVersion = 2
        let name: String
        let cents: Int

        var favoriteKey: String { name }
        var favoriteTitle: String { name }

        /// Version 1 had whole units.
        static func favorite(from payload: Favorite.Payload) throws -> Coin {
            let coin = try JSONDecoder().decode(Coin.self, from: payload.data)
            return payload.version == 1 ? Coin(name: coin.name, cents: coin.cents * 100) : coin
        }
    }

    private func stored(_ json: String, version: Int, key: String = "dime") -> Favorite {
        Favorite(
            id: Favorite.ID(kind: Coin.favoriteKind, key: key),
            title: "dime",
            image: nil,
            payload: Favorite.Payload(version: version, data: Data(json.utf8))
        )
    }

    @Test func `decodes an older version by its type`() {
        let json = #"{"name":"dime","cents":10}"#
        #expect(stored(json, version: 1).value(as: Coin.self)?.cents == 1000)
        #expect(stored(json, version: 2).value(as: Coin.self)?.cents == 10)
    }

    @Test(arguments: [(#"{"login":"#, 1), (#"{"id":1,"login":"mona","kind":"User"}"#, 2), ("", 0)])
    func `preserves the title and payload of an unreadable entity`(json: String, version: Int) {
        let payload = Favorite.Payload(version: version, data: Data(json.utf8))
        let id = Favorite.ID(kind: .user, key: "1")
        let favorite = Favorite(id: id, title: "mona", image: nil, payload: payload)
        #expect(favorite.value(as: GitHub.User.self) == nil)
        #expect(favorite.title == "mona" && favorite.payload == payload)
    }

    @Test func `is never decoded as an entity with another identity`() {
        let json = #"{"name":"dime","cents":10}"#
        #expect(stored(json, version: 2, key: "euro").value(as: Coin.self) == nil)
        #expect(stored(json, version: 2).value(as: GitHub.User.self) == nil)
    }

    @Test func `has an identity that compares bytes`() {
        let kind = Coin.favoriteKind
        #expect(Favorite.ID(kind: kind, key: "é") != Favorite.ID(kind: kind, key: "e\u{301}"))
        #expect(Favorite.ID(kind: kind, key: "007") != Favorite.ID(kind: kind, key: "7"))
        #expect(Favorite.ID(kind: kind, key: "7") == Favorite.ID(kind: kind, key: "7"))
        #expect(Favorite.ID(kind: kind, key: "OL1W").number == nil)
    }
}
