public import Foundation

extension OAuthSignIn {
    /// Begins a sign-in on the service's authorization page; open it in a browser.
    ///
    /// - Parameter choosesAccount: Whether the page asks for the account even if the browser is
    ///   signed in to the service, such as after a sign-out.
    /// - Throws: ``BrowseError``: `.signInFailed(.notConfigured(missing:))` if the app or the
    ///   server isn't configured for it, `.refused(.invalidConfiguration)` if it would send secrets
    ///   over http.
    public func begin(choosesAccount: Bool = false) throws(BrowseError) -> WebSignIn {
        let state = randomText()
        guard let verifier = try? Secret(randomText()) else { preconditionFailure("Base64 is always a secret") }
        let (page, redirect) = try authorization.webPage(state: state, verifier: verifier)
        var parts = URLComponents(url: page, resolvingAgainstBaseURL: true)
        // OpenID Connect Core, section 3.1.2.1. Most other servers ignore it, and none accepts a
        // second one (RFC 6749, section 3.1).
        let chooses = choosesAccount && parts?.queryItems?.contains { $0.name == "prompt" } != true
        if chooses { parts?.percentEncodedQueryItems?.append(.init(name: "prompt", value: "select_account")) }
        return WebSignIn(page: parts?.url ?? page, redirect: redirect, state: state, verifier: verifier)
    }

    /// Completes a sign-in with the URL that the browser was redirected to.
    ///
    /// The URL must be the redirect URL with the `state` that was sent; unknown parameters are
    /// ignored (RFC 6749).
    ///
    /// - Throws: ``BrowseError``: `.signInFailed(.callback)` if the URL isn't a usable callback of
    ///   this sign-in, which can still be completed; `.signInFailed` with another reason if the
    ///   user or the server refused.
    public func finish(_ signIn: WebSignIn, with callback: URL) async throws(BrowseError) -> Credentials {
        let code = try signIn.code(in: callback)
        return try await authorization.exchange(code, verifier: signIn.verifier)
    }

    /// Returns 32 random bytes as 43 characters, the minimum length in RFC 7636 (section 4.1).
    private func randomText() -> String { Data((0..<32).map { _ in random() }).base64URL }
}

/// A sign-in in progress in a browser.
public struct WebSignIn: Hashable, Sendable {
    /// The page to open.
    public let page: URL
    /// The URL that the browser is redirected to.
    public let redirect: URL
    package let state: String
    package let verifier: Secret

    /// Returns the code in the URL that the browser was redirected to.
    ///
    /// - Throws: ``BrowseError``: `.signInFailed(.callback)` if the URL isn't a usable callback of
    ///   this sign-in, `.signInFailed` with another reason if the user or the server refused.
    package func code(in callback: URL) throws(BrowseError) -> Secret {
        let components = URLComponents(url: callback, resolvingAgainstBaseURL: true)
        let items = components?.queryItems ?? []
        func values(of name: String) -> [String] { items.filter { $0.name == name }.map { $0.value ?? "" } }
        let states = values(of: "state")
        let isOurs = states.count == 1 && states[0] == state
        // Checked before the URL, because a server can report a mismatched redirect URL to the
        // registered one.
        if isOurs, let error = values(of: "error").compactMap(\.nonBlank).first {
            throw .signInFailed(BrowseError.SignInFailure(code: error))
        }
        guard let components, let expected = URLComponents(url: redirect, resolvingAgainstBaseURL: true),
            components.place == expected.place, (expected.queryItems ?? []).allSatisfy(items.contains)
        else { throw .signInFailed(.callback(.otherAddress)) }
        // Other parameters can't be trusted without the right state.
        guard isOurs else { throw .signInFailed(.callback(.wrongState)) }
        let codes = values(of: "code")
        guard codes.count == 1, let code = try? Secret(codes[0]) else { throw .signInFailed(.callback(.noCode)) }
        return code
    }
}

extension URLComponents {
    /// The parts before the query, in normal form (RFC 9110, section 4.2).
    fileprivate var place: [String?] {
        let (scheme, path) = (scheme?.lowercased(), percentEncodedPath)
        let port = port ?? ["https": 443, "http": 80][scheme ?? ""]
        return [scheme, user, password, host?.lowercased(), port?.description, path.isEmpty ? "/" : path]
    }
}

extension Data {
    /// Base64 for URLs, without padding (RFC 4648, section 5).
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
