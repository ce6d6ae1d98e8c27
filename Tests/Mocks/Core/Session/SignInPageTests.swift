import BrowseDomain
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct SignInPageTests {
    @Test func `The page of a repository in memory is answered as a service's`() throws {
        let redirect = try #require(URL(string: "app.test:/back?app=1"))
        let authorization = InMemoryAuthorizationRepository(redirect: redirect)
        let page = try authorization.webPage(state: "a&b=c", verifier: Secret("verifier")).page
        let callback = try SignInPage(.webPage(WebAddress(rawValue: page.absoluteString))).agree(code: "1")
        let items = URLComponents(url: callback, resolvingAgainstBaseURL: true)?.queryItems ?? []
        #expect(callback.absoluteString.hasPrefix("app.test:/back?"))
        #expect(items.map { "\($0.name): \($0.value ?? "")" } == ["app: 1", "code: 1", "state: a&b=c"])
    }

    @Test(
        arguments: [
            (nil, "signInByBrowser() returned nil. It needs an OAuthApp with a redirect; see the message"),
            ("https://sign-in.example/authorize?state=1", "Pass the page of signInByBrowser(), which has redirect_uri"),
        ] as [(String?, String)]
    )
    func `Another page, or none, is an error that says what to do`(address: String?, text: String) {
        let error = #expect(throws: BrowseError.self) {
            try SignInPage(address.map { Route.webPage(WebAddress(rawValue: $0)) })
        }
        #expect(error?.request?.serverMessage?.hasPrefix(text) == true, "\(String(describing: error))")
    }
}
