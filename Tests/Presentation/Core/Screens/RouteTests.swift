import BrowseAppStoreDomain
import BrowseAppStorePresentation
import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import Foundation
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct `A route` {
    /// A service's screens, with any text as an identifier.
    private enum Space: RouteDestination, Equatable {
        static let routeName = "space"
        case planet(String), moon(String, of: String)

        var routePath: [String] {
            switch self {
            case .planet(let name): ["planets", name]
            case .moon(let name, let planet): ["planets", planet, "moons", name]
            }
        }

        init?(routePath path: [String]) {
            guard path.count > 1 else { return nil }
            self = path.count == 2 ? .planet(path[1]) : .moon(path[path.count - 1], of: path[1])
        }
    }

    /// A type with the name of another.
    private struct OtherSpace: RouteDestination {
        static let routeName = "space"
        let routePath: [String]
    }

    private static let types: [any RouteDestination.Type] = [
        GitHub.Screen.self, RickAndMorty.Screen.self, AppStore.Screen.self, Space.self,
    ]

    private static let app = AppStore.App(id: AppStore.AppID(1), name: "Browse")

    @Test(arguments: [
        (Route.signIn, "/sign-in"),
        (.gitHub(.userProfile(GitHub.Login("octocat"))), "/github/users/octocat"),
        (.gitHub(.userProfile(GitHub.Login("a[bot]"))), "/github/users/a%5Bbot%5D"),
        (.gitHub(.account(GitHub.User.ID(rawValue: 1))), "/github/accounts/1"),
        (.gitHub(.account(GitHub.User.ID(rawValue: 1), label: GitHub.Login("octocat"))), "/github/accounts/1/octocat"),
        (.gitHub(.followList(.followers(of: GitHub.Login("octocat")))), "/github/users/octocat/followers"),
        (.gitHub(.followList(.following(by: GitHub.Login("octocat")))), "/github/users/octocat/following"),
        (.gitHub(.repoList(.publicRepos(of: GitHub.Login("octocat")))), "/github/users/octocat/repos"),
        (.gitHub(.repoList(.own)), "/github/repos"), (.gitHub(.repoList(.starred)), "/github/stars"),
        (.rickAndMorty(.character(.init(rawValue: 1))), "/rick-and-morty/characters/1"),
        (.rickAndMorty(.episode(.init(rawValue: .max))), "/rick-and-morty/episodes/9223372036854775807"),
        (.rickAndMorty(.location(.init(rawValue: 3))), "/rick-and-morty/locations/3"),
        (.appStore(.app(app.id, preview: EntityPreview(app))), "/app-store/apps/1"),
        (
            .appStore(.screenshotGallery(app.id, position: 2, preview: EntityPreview(app))),
            "/app-store/apps/1/screenshots/2"
        ),
        (.appStore(.app(AppStore.AppID(1, in: .southKorea))), "/app-store/apps/1-kr"),
        (
            .other(.init(Space.moon("a/b ?#%é", of: "화성"))),
            "/space/planets/%ED%99%94%EC%84%B1/moons/a%2Fb%20%3F%23%25%C3%A9"
        ),
    ])
    func `has a path, from which it's read`(route: Route, path: String) {
        #expect(route.path == path)
        #expect(Route(path: path, among: Self.types) == route)
    }

    @Test func `of random identifiers is the same after it was a path`() throws {
        var random = SeededGenerator(seed: 34)
        let scalars = Array("aZ09-._~/%?#&=+:@[] \\\"<>\u{0}\u{7F}é화🙂\u{202E}".unicodeScalars)
        func text() -> String {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                text.append(scalars.randomElement(using: &random) ?? "a")
            }
            return String(text)
        }
        for _ in 0..<2_000 {
            let number = Int64.random(in: 1 ... .max, using: &random)
            let login = GitHub.Login(String(text().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }) + "a")
            let routes: [Route] = [
                .gitHub(.userProfile(login)), .gitHub(.followList(.followers(of: login))),
                .rickAndMorty(.character(.init(rawValue: number))), .appStore(.app(.init(number))),
                .appStore(.screenshotGallery(.init(number), position: Int(number))),
                .other(.init(Space.planet(text()))), .other(.init(Space.moon(text(), of: text()))),
            ]
            for route in routes {
                guard let path = route.path else {
                    // No URL can have such a segment.
                    let place = try #require(route.place?.value(as: Space.self))
                    #expect(place.routePath.contains { [".", ".."].contains($0) })
                    continue
                }
                #expect(path.utf8.allSatisfy { (0x21...0x7E).contains($0) })
                #expect(Route(path: path, among: Self.types) == route, "\(path)")
            }
        }
    }

    @Test(arguments: [
        "", "/", "//", "github/users/octocat", "/github", "/github/", "/github/users", "/github/users/",
        "/github/users/octocat/", "/github//users/octocat", "//github/users/octocat", "/github/users/octocat/stars",
        "/github/users/octocat/followers/1", "/github/people/octocat", "/github/repos/x", "/github/repos/0",
        "/github/accounts/0", "/github/accounts/-1/octocat",
        "/github/repos/1/2", "/github/accounts/1/a/b", "/github/accounts/1/a%20b", "/github/users/%2e%2e",
        "/github/users/..", "/github/./repos", "/github/users/../repos", "/github/users/a%2Fb", "/github/users/a%00b",
        "/github/users/%", "/github/users/%4", "/github/users/%zz", "/github/users/%FF", "/github/users/%ED%A0%80",
        "/github/users/%C0%80", "/github/users/%E3%81", "/github/users/..%2Fuser", "/github/users/octocat?tab=1",
        "/github/users/octocat#top", "/GitHub/users/octocat", "/GITHUB/repos",
        "/rick-and-morty/characters/one", "/rick-and-morty/characters/+1", "/rick-and-morty/characters/01",
        "/rick-and-morty/characters/0", "/rick-and-morty/episodes/-1", "/app-store/apps/0", "/app-store/apps/-1",
        "/app-store/apps/-1/screenshots/0", "/app-store/apps/1/screenshots/-1",
        "/rick-and-morty/characters/1/2", "/rick-and-morty/characters/9223372036854775808",
        "/rick-and-morty/planets/1", "/rick-and-morty/characters/\u{0661}", "/app-store/apps/1/screenshots",
        "/app-store/apps/1/screenshots/x", "/app-store/apps/1/pictures/1", "/app-store/apps/id1",
        "/app-store/apps/1-KR",
        "/app-store/apps/1-", "/app-store/apps/1-kor", "/app-store/apps/-kr", "/app-store/apps/0-kr", "/sign-in/",
        "/sign-in/callback", "/nothing/1", "https://github.com/octocat", "/https://github.com/octocat",
        "javascript:alert(1)", "/web-page/https%3A%2F%2Fexample.com", "/space/planets/a/suns/b",
    ])
    func `isn't read from other text`(text: String) {
        #expect(Route(path: text, among: Self.types) == nil)
    }

    @Test func `is read from a path that is encoded in another way`() {
        let route = Route.gitHub(.userProfile(GitHub.Login("a[bot]")))
        for path in ["/github/users/a[bot]", "/github/users/a%5bbot%5d", "/%67ithub/users/%61%5Bbot]"] {
            #expect(Route(path: path, among: Self.types) == route)
        }
    }

    @Test func `has a path of at most 2,000 bytes`() throws {
        let prefix = "/space/planets/"
        let longest = String(repeating: "a", count: 2_000 - prefix.count)
        let route = Route.other(.init(Space.planet(longest)))
        #expect(route.path == prefix + longest)
        #expect(Route(path: prefix + longest, among: Self.types) == route)
        #expect(Route.other(.init(Space.planet(longest + "a"))).path == nil)
        #expect(Route(path: prefix + longest + "a", among: Self.types) == nil)
        #expect(Route(path: String(repeating: "/", count: 1_000_000), among: Self.types) == nil)
        #expect(Route(path: "/space/planets/" + String(repeating: "%", count: 1_900), among: Self.types) == nil)
    }

    @Test func `has no path if a URL can't contain it`() {
        for name in ["", ".", ".."] { #expect(Route.other(.init(Space.planet(name))).path == nil) }
        #expect(Route.webPage(WebAddress(rawValue: "https://github.com/octocat")).path == nil)
    }

    @Test func `is the same with another preview`() {
        let id = Self.app.id
        let user = GitHub.User.ID(rawValue: 1)
        #expect(Route.gitHub(.account(user)) == .gitHub(.account(user, label: GitHub.Login("octocat"))))
        let pairs: [(Route, Route)] = [
            (.appStore(.app(id)), .appStore(.app(id, preview: EntityPreview(Self.app)))),
            (
                .appStore(.screenshotGallery(id, position: 1)),
                .appStore(.screenshotGallery(id, position: 1, preview: EntityPreview(Self.app)))
            ),
        ]
        for (route, withPreview) in pairs {
            #expect(route == withPreview && Set([route, withPreview]).count == 1)
            #expect(route.place?.value(as: AppStore.Screen.self) == withPreview.place?.value(as: AppStore.Screen.self))
        }
        #expect(pairs[0].0 != pairs[1].0)
        #expect(pairs[1].0 != .appStore(.screenshotGallery(id, position: 2)))
        #expect(pairs[0].0 != .appStore(.app(.init(2), preview: EntityPreview(Self.app))))
    }

    @Test func `to a service needs the only type of its name`() {
        let path = "/space/planets/earth"
        let earth = Route.other(.init(Space.planet("earth")))
        #expect(Route(path: path, among: Self.types) == earth)
        #expect(earth != .other(.init(Space.planet("mars"))) && earth != .rickAndMorty(.character(.init(rawValue: 7))))
        #expect(Set([earth, .other(.init(Space.planet("earth")))]).count == 1)
        #expect(earth.place?.value(as: Space.self) == .planet("earth"))
        #expect(earth.place?.value(as: RickAndMorty.Screen.self) == nil)
        #expect(Route(path: path, among: [GitHub.Screen.self]) == nil)
        #expect(Route(path: path, among: []) == nil)
        #expect(Route(path: path, among: [Space.self, OtherSpace.self]) == nil)
        #expect(Route(path: path, among: [OtherSpace.self])?.place?.value(as: OtherSpace.self) != nil)
    }
}

extension Route {
    fileprivate var place: Destination? { if case .other(let destination) = self { destination } else { nil } }
}

@Suite(.bounded) struct `The id of a row` {
    @Test(arguments: [Int64.min, -1, 0, 1, .max])
    func `is the same after it was text`(number: Int64) {
        #expect(GitHub.User.ID("\(GitHub.User.ID(rawValue: number))") == GitHub.User.ID(rawValue: number))
        for country in [nil, AppStore.Country.southKorea] {
            let id = AppStore.AppID(number, in: country)
            #expect(AppStore.AppID("\(id)") == id)
        }
    }

    @Test func `isn't read from other text`() {
        for text in ["", " ", "one", "1 ", "1.0", "9223372036854775808", "id1", "\u{0661}"] {
            #expect(GitHub.User.ID(text) == nil && AppStore.AppID(text) == nil, "\(text)")
        }
    }

    @Test func `of a favorite contains its kind`() {
        #expect(
            Favorite.ID(kind: .init(rawValue: "openlibrary.book"), key: "OL1W").description == "openlibrary.book/OL1W"
        )
        let texts = ["", "a", "a/b", "a%2Fb", "a b", "é", "e\u{301}", "\u{0}", "\"'<>&", ".."]
        for kind in texts {
            for key in texts {
                let id = Favorite.ID(kind: Favorite.Kind(rawValue: kind), key: key)
                #expect(id.description.utf8.allSatisfy { (0x21...0x7E).contains($0) })
                #expect(Favorite.ID(id.description) == id)
            }
        }
        for text in ["", "user", "user/1/2", "user/%", "user/%F", "user/%FF"] { #expect(Favorite.ID(text) == nil) }
    }
}
