import BrowseData
import BrowseKit
import BrowseMocks
import Foundation

@MainActor
extension Container {
    /// A container on a server, by default without retries.
    ///
    /// - Parameters:
    ///   - address: The address of an Enterprise Server.
    ///   - clock: Measures the time; a test's clock also tells it, from `Date.reports` on.
    ///   - isCaching: Whether responses are stored, in a folder of the container's own.
    ///   - store: Stores the token.
    static func reports(
        _ server: ScriptedServer,
        transport: (any HTTPTransport)? = nil,
        at address: String? = nil,
        locale: String = "en_US",
        clock: (any Clock<Duration>)? = nil,
        retries: RetryPolicy = .never,
        isCaching: Bool = true,
        store: (any TokenStore)? = nil,
        hasToken: Bool = false,
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> Container {
        var configuration = Configuration().with {
            $0.userAgent = "Reports"
            $0.locale = Locale(identifier: locale)
            $0.timeZone = .gmt
        }
        configuration.retries = retries
        if isCaching { configuration.cacheFolder = .temporaryDirectory.appending(path: "reports-\(UUID())") }
        if let clock { configuration.clock = clock }
        if let clock = clock as? TestClock { configuration.now = clock.now(from: .reports) }
        if let url = address.flatMap(URL.init) { configuration.gitHub = GitHubSettings(server: url) }
        if hasToken { configuration.gitHub.token = try? Secret("ghp_1234567890") }
        change(&configuration)
        let container = Container.production(on: transport ?? server.transport(), configuration: configuration)
        if let store { container.gitHubTokenStore.override { _ in store } }
        return container
    }

    /// A container on a server of this computer, without retries.
    static func reports(
        _ server: LoopbackServer,
        transport: any HTTPTransport = HTTPClient.makeTransport(),
        _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> Container {
        guard let url = URL(string: server.origin) else { throw URLError(.badURL) }
        return .reports(ScriptedServer(), transport: transport) {
            $0.gitHub.url = url
            change(&$0)
        }
    }

    /// The followers of a user.
    func followers(of login: String = "octocat") async -> FollowerListViewModel {
        await opened(followerListViewModel()) { await $0.show(.followers(of: GitHub.Login(login))) }
    }

    /// The users that a text finds.
    func users(for text: String) async -> UserSearchViewModel {
        await opened(userSearchViewModel()) {
            $0.query.text = text
            await $0.submit()
        }
    }

    /// The repositories that a text finds.
    func repos(for text: String) async -> RepoSearchViewModel {
        await opened(repoSearchViewModel()) {
            $0.query.text = text
            await $0.submit()
        }
    }

    /// The apps that a text finds.
    func apps(for text: String, lookUp: Bool = false) async -> AppSearchViewModel {
        await opened(appSearchViewModel()) {
            if lookUp { $0.query.mode = .lookUp }
            $0.query.text = text
            await $0.submit()
        }
    }

    /// The container, after its session has started.
    func started() async -> Container {
        await gitHubSession().start()
        return self
    }

    /// Signs in with a token of a date; one with a lifetime can be refreshed.
    func signIn(
        _ token: String = "gho_old_1234567890",
        at date: Date? = nil,
        lifetime: TimeInterval? = nil,
        scopes: [String] = []
    ) async throws {
        var credentials = Credentials(token: try Secret(token), scopes: scopes)
        credentials.issuedAt = date
        if let lifetime {
            credentials.expiresAt = date.map { $0 + lifetime }
            credentials.refreshToken = try Secret("ghr_old_1234567890")
            credentials.signInID = "mona"
        }
        try await gitHubSession().signIn(with: credentials)
    }

    /// Signs in with a token that a person pastes.
    func paste(_ token: String = "ghp_1234567890") async -> SignInViewModel<GitHub.User> {
        await opened(gitHubSignInViewModel()) { await $0.signIn(withToken: token) }
    }

    // Screens that are open.

    private func opened<Model>(_ model: Model, _ show: @MainActor (Model) async -> Void) async -> Model {
        await show(model)
        return model
    }

    func account() async -> AccountViewModel { await opened(gitHubAccountViewModel()) { await $0.show() } }
    func favorites() async -> FavoriteListViewModel { await opened(favoriteListViewModel()) { await $0.show() } }
    func characters() async -> CharacterListViewModel { await opened(characterListViewModel()) { await $0.show() } }

    func profile(of login: String = "octocat") async -> UserProfileViewModel {
        await opened(userProfileViewModel()) { await $0.show(GitHub.Login(login)) }
    }

    func repos(_ kind: GitHub.RepoList = .publicRepos(of: .octocat)) async -> RepoListViewModel {
        await opened(repoListViewModel()) { await $0.show(kind) }
    }

    /// The list of octocat, who signs in, with the repository octocat/hello.
    func ownRepos(on server: ScriptedServer) async -> RepoListViewModel {
        server.onSession()
        let row = #"[{"id":7,"name":"hello","full_name":"octocat/hello","stargazers_count":5}]"#
        server.on(.get, "/users/octocat/repos", times: .any, response: .json(row))
        await gitHubSession().start()
        return await repos()
    }

    /// The app with the number 7.
    func app() async -> AppDetailViewModel {
        await opened(appDetailViewModel()) { await $0.show(.id(AppStore.AppID(7))) }
    }

    /// Saves a user.
    func addFavorite(_ id: Int, _ login: String) async throws {
        let user = GitHub.User(id: GitHub.User.ID(rawValue: Int64(id)), login: GitHub.Login(login))
        _ = try await favoriteRepository().add(Favorite(user))
    }

    /// Saves a character.
    func addFavorite(_ id: Int, named name: String) async throws {
        let character = RickAndMorty.Character(id: RickAndMorty.Character.ID(rawValue: Int64(id)), name: name)
        _ = try await favoriteRepository().add(Favorite(character))
    }

    func image(at address: String = "https://images.example/a.png") async -> RemoteImageViewModel {
        await opened(remoteImageViewModel()) { await $0.show(ImageRequest(WebAddress(rawValue: address))) }
    }
}

extension RemoteImageViewModel {
    var image: EncodedImage? { if case .loaded(let image) = state { image } else { nil } }
    var message: Message? { if case .failed(let message) = state { message } else { nil } }
}

extension GitHub.Login {
    static let octocat = GitHub.Login("octocat")
    static let mona = GitHub.Login("mona")
}

extension GitHub.RepoList {
    static let ofMona = GitHub.RepoList.publicRepos(of: .mona)
}

extension Date {
    /// The start of tests with a clock: Fri, 15 Jan 2027 08:00:00 GMT.
    static let reports = Date(timeIntervalSince1970: 1_800_000_000)
}

extension ScriptedServer {
    typealias Answer = @Sendable (HTTPClient.Request) async -> Response

    /// Computes the response to each request.
    func compute(_ response: @escaping Answer) {
        on(.any, response: .computed(response))
    }

    /// Computes the response to each request to an address.
    @discardableResult
    func compute(_ method: HTTPMethod, _ address: String, _ response: @escaping Answer) -> Stub {
        on(method, address, times: .any, response: .computed(response))
    }

    /// Answers requests for tokens.
    @discardableResult
    func onTokens(_ response: Response, times: CallCount = .any) -> Stub {
        on(.post, "https://github.com/login/oauth/access_token", times: times, response: response)
    }

    /// Answers requests for a code to type on another device.
    func onDeviceCode(_ times: String = #""expires_in":899,"interval":5"#) {
        let page = "https://github.com/login/device"
        let json = #"{"device_code":"dc","user_code":"A-B","verification_uri":"\#(page)",\#(times)}"#
        on(.post, page + "/code", times: .any, response: .json(json))
    }

    /// Answers who is signed in, and what they starred, nothing.
    func onSession(as user: Response = .octocat, at root: String = "") {
        on(.get, "\(root)/user", times: .any, response: user)
        on(.get, "\(root)/user/starred", times: .any, response: .json("[]"))
    }
}

extension ScriptedServer.Response {
    /// The account octocat, which has the name Octo and the number 1.
    static var octocat: Self { octocat([:]) }

    static func octocat(_ headers: HTTPHeaders) -> Self {
        .json(#"{"id":1,"login":"octocat","type":"User","name":"Octo"}"#, headers: headers)
    }

    /// An account of GitHub.
    static func user(_ id: Int, _ login: String, headers: HTTPHeaders = [:]) -> Self {
        .json(#"{"id":\#(id),"login":"\#(login)","type":"User"}"#, headers: .gitHub(headers))
    }

    /// The account mona, which has the number 1.
    static var mona: Self { user(1, "mona") }

    /// Repositories of one owner, such as mona/r7, with their numbers of stars.
    static func repos(
        _ ids: [Int] = [7],
        of owner: String = "mona",
        stars: Int = 5,
        headers: HTTPHeaders = .gitHub
    ) -> Self {
        .rows(ids.map { .repo($0, of: owner, stars: stars) }, headers: headers)
    }

    static func rows(_ rows: [String], headers: HTTPHeaders = .gitHub) -> Self {
        .json("[\(rows.joined(separator: ","))]", headers: headers)
    }

    /// A token, as an OAuth server sends it, with other fields.
    static func token(_ token: String = "gho_good_1234567890", fields: String = #""scope":"""#) -> Self {
        .json(#"{"access_token":"\#(token)",\#(fields)}"#)
    }

    /// The refusal of a token.
    static var badCredentials: Self { .json(#"{"message":"Bad credentials"}"#, status: 401, headers: .gitHub) }

    /// The lack of a network.
    static var offline: Self { .failure(.notConnectedToInternet) }

    /// A page for a browser.
    static func html(_ status: Int = 200, _ headers: HTTPHeaders = [:], text: String = "<html>Blocked</html>") -> Self {
        var headers = headers
        if headers["Content-Type"] == nil { headers["Content-Type"] = "text/html; charset=UTF-8" }
        return .body(Data(text.utf8), status: status, headers: headers)
    }

    /// Apps named Tea with the number 7, as the App Store sends them; by default, none.
    static func apps(_ properties: String...) -> Self {
        let rows = properties.map { properties in
            #"{"wrapperType":"software","kind":"software","trackId":7,"trackName":"Tea""#
                + (properties.isEmpty ? "" : ",") + properties + "}"
        }
        return .json(#"{"resultCount":\#(rows.count),"results":[\#(rows.joined(separator: ","))]}"#)
    }
}

extension HTTPHeaders {
    /// The field by which a response is GitHub's own, and others.
    static func gitHub(_ others: HTTPHeaders) -> HTTPHeaders {
        var headers: HTTPHeaders = .gitHub
        headers.merge(others)
        return headers
    }
}

extension String {
    /// The JSON of a repository, such as mona/r7.
    static func repo(_ id: Int = 7, of owner: String = "mona", stars: Int = 5) -> String {
        #"{"id":\#(id),"name":"r\#(id)","full_name":"\#(owner)/r\#(id)","private":false,"#
            + #""owner":{"id":1,"login":"\#(owner)"},"stargazers_count":\#(stars)}"#
    }
}

// MARK: Signing in

extension SignInViewModel<GitHub.User> {
    var isSignedIn: Bool { if case .signedIn = state { true } else { false } }

    /// Begins to sign in with a browser; returns the page, and its state.
    func begin() throws -> (state: String, page: String) {
        _ = signInByBrowser()
        guard case .waitingForBrowser(let page) = state else { throw URLError(.badURL) }
        let items = URLComponents(string: page.rawValue)?.queryItems
        return (items?.first { $0.name == "state" }?.value ?? "", page.rawValue)
    }

    /// Calls back as the browser does after a page with a state.
    func callBack(_ state: String, redirect: String = "myapp://callback") async throws {
        guard let url = URL(string: "\(redirect)?code=abc-\(state)&state=\(state)") else { throw URLError(.badURL) }
        await finishSignIn(with: url)
    }
}

/// A store whose changes fail while a flag is set, or whose folder can't be locked.
struct FailingTokenStore: TokenStore {
    let store = InMemoryTokenStore()
    let failure = StorageFailure(reason: .other, file: "session", code: -34018)
    var isFailing = Monitor(false)
    var canLock = true

    func load() async throws(BrowseError) -> Credentials? { try await store.load() }
    func update(
        _ change: @escaping @Sendable (Result<Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError) {
        guard !isFailing.value else { throw .storageFailed(failure) }
        try await store.update(change)
    }
    func refreshLock() async throws(BrowseError) -> RefreshLock? {
        guard canLock else { throw .storageFailed(StorageFailure(reason: .notWritable, file: "session")) }
        return RefreshLock {}
    }
}

extension ViewModel {
    /// Returns the first state that meets a condition.
    @discardableResult
    func until(_ condition: (State) -> Bool) async -> State {
        for await state in states.every where condition(state) { return state }
        return state
    }
}

/// A row with a number only.
struct Number: ListRow { let id: Int }

extension HTTPClient.Request {
    /// The number of the page; that of the first one can be missing.
    var page: Int { item("page").flatMap { Int($0) } ?? 1 }

    /// The value of a query item.
    func item(_ name: String) -> String? {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.last { $0.name == name }?.value
    }
}
