public import BrowseDomain
public import BrowsePresentation
public import Foundation

/// The page of a sign-in in a browser, which a test answers in place of a person.
///
/// ```swift
/// let page = try SignInPage(model.signInByBrowser())
/// #expect(await model.finishSignIn(with: page.agree(code: "code-1")))
/// ```
public struct SignInPage: Hashable, Sendable {
    private let redirect: URL
    private let state: String

    /// Reads the address of a page.
    ///
    /// - Parameter route: The result of `SignInViewModel.signInByBrowser()`.
    /// - Throws: `.refused(.invalidParameter)` unless it's a page with `redirect_uri` and `state`,
    ///   with the reason in `serverMessage`.
    public init(_ route: Route?) throws(BrowseError) {
        var items: [URLQueryItem] = []
        if case .webPage(let page)? = route { items = URLComponents(string: page.rawValue)?.queryItems ?? [] }
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard let redirect = value("redirect_uri").flatMap(URL.init), let state = value("state") else {
            var info = BrowseError.RequestInfo(endpoint: "SignInPage(_:)")
            info.serverMessage =
                route == nil
                ? "signInByBrowser() returned nil. It needs an OAuthApp with a redirect; see the message of its state."
                : "Pass the page of signInByBrowser(), which has redirect_uri and state."
            throw .refused(.invalidParameter, info)
        }
        (self.redirect, self.state) = (redirect, state)
    }

    /// Returns the URL that calls back when the person authorizes the app.
    ///
    /// - Parameter code: The code that the app exchanges for a token.
    public func agree(code: String = "code") -> URL { callback("code", code) }

    /// Returns the URL that calls back when the person declines.
    public func deny() -> URL { callback("error", "access_denied") }

    private func callback(_ name: String, _ value: String) -> URL {
        redirect.appending(queryItems: [
            URLQueryItem(name: name, value: value), URLQueryItem(name: "state", value: state),
        ])
    }
}
