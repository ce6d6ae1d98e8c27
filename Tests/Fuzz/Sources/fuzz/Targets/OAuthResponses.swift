@testable import BrowseData
@testable import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import Foundation

/// GitHub's responses during a sign-in, and the callback URL.
@Sendable func gitHubOAuth(_ input: [UInt8]) {
    let response = Response(input)
    let site = URL(fixed: "https://github.example")
    let redirect = URL(fixed: "app://callback?from=github")
    guard let secret = try? Secret("a-client-secret-that-must-stay-secret") else { return }
    let web = HTTPClient(
        service: .gitHubWeb(url: site, userAgent: "BrowseKit-Fuzz"),
        transport: ResponseTransport(response),
        options: .init { $0.now = { now } }
    )
    let repository = OAuthServer.gitHubRepository(
        app: OAuthApp.gitHub(clientID: "id", clientSecret: secret, redirect: redirect),
        url: site,
        web: web,
        api: web
    )
    InlineExecutor.run(waiting: 60) {
        let code = DeviceCode(
            userCode: "WDJB-MJHT",
            page: WebAddress(rawValue: "https://github.example/login/device"),
            lifetime: .seconds(900),
            interval: .seconds(5),
            deviceCode: secret
        )
        check(await outcome { () async throws(BrowseError) in try await repository.deviceCode() }) { code in
            require((.zero ... .seconds(86_400)).contains(code.lifetime), "a code lives for at most a day")
            require((.seconds(1) ... .seconds(3600)).contains(code.interval), "the interval is at most an hour")
            require(code.page.url != nil, "the page can be opened")
        }
        check(await outcome { () async throws(BrowseError) in try await repository.poll(code) }) { poll in
            switch poll {
            case .granted(let credentials): checkStoring(credentials)
            case .slowDown(let pause?):
                require((.seconds(1) ... .seconds(3600)).contains(pause), "the interval is at most an hour")
            case .pending, .slowDown(nil): break
            }
        }
        check(await outcome { () async throws(BrowseError) in try await repository.refresh(secret) }, checkStoring)
        check(await outcome { () async throws(BrowseError) in try await repository.revoke(Credentials(token: secret)) })
    }
    if let callback = URL(string: String(decoding: input, as: UTF8.self)) { check(callback, for: repository) }
}

private func check(_ callback: URL, for repository: any AuthorizationRepository) {
    // Without randomness, the state is always 43 times "A", as in the seed.
    let rule = OAuthSignIn(authorization: repository, random: { 0 })
    guard let signIn = try? rule.begin() else {
        require(false, "a sign-in begins")
        return
    }
    do throws(BrowseError) {
        _ = try signIn.code(in: callback)
        require(callback.scheme?.lowercased() == "app", "a callback has the app's scheme")
        require(callback.host()?.lowercased() == "callback", "a callback has the app's host")
    } catch {
        check(Result<Void, BrowseError>.failure(error))
    }
}
