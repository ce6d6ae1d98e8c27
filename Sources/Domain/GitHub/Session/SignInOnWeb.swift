#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension GitHub {
    /// Signs in by a page of GitHub's in a browser, which leads back to the app.
    ///
    /// Source: RFC 6749 (section 4.1), RFC 7636 (PKCE), and GitHub's "Authorizing OAuth apps", web application flow.
    public struct SignInOnWeb: Sendable {
        private let authorization: any AuthorizationRepository
        private let random: @Sendable () -> UInt8

        /// Creates the rule.
        ///
        /// - Parameters:
        ///   - authorization: Whom to ask.
        ///   - random: Unpredictable bytes; the system's own generator unless given.
        public init(
            authorization: any AuthorizationRepository,
            random: @escaping @Sendable () -> UInt8 = { UInt8.random(in: .min ... .max) }
        ) {
            self.authorization = authorization
            self.random = random
        }

        /// Begins a sign-in; its page is to be opened in a browser.
        ///
        /// - Throws: ``BrowseError``: `.signInFailed(.notConfigured)` when the app has no client id or redirect address.
        public func begin() throws(BrowseError) -> WebSignIn {
            let state = randomText()
            guard let verifier = try? Secret(randomText()) else { throw .signInFailed(.notConfigured) }
            let (page, redirect) = try authorization.webPage(state: state, verifier: verifier)
            return WebSignIn(page: page, redirect: redirect, state: state, verifier: verifier)
        }

        /// Ends a sign-in with the address that the browser came back with.
        ///
        /// The address must be the redirect address with the `state` that was sent; other parameters are ignored, as RFC 6749
        /// demands.
        ///
        /// - Throws: ``BrowseError``: `.signInFailed(.callback)` when the address is no answer to this sign-in; then it is
        ///   still open. `.signInFailed` with another reason when the person or GitHub said no.
        public func finish(_ signIn: WebSignIn, with callback: URL) async throws(BrowseError) -> Credentials {
            let code = try signIn.code(in: callback)
            return try await authorization.exchange(code, verifier: signIn.verifier)
        }

        /// 32 random bytes as 43 characters, which is what RFC 7636 (section 4.1) asks for as the least.
        private func randomText() -> String {
            Data((0..<32).map { _ in random() }).base64URL
        }
    }

    /// A sign-in that waits for a browser.
    public struct WebSignIn: Hashable, Sendable {
        /// The page to open.
        public let page: URL
        /// Where the browser comes back to.
        public let redirect: URL
        package let state: String
        package let verifier: Secret

        package init(page: URL, redirect: URL, state: String, verifier: Secret) {
            self.page = page
            self.redirect = redirect
            self.state = state
            self.verifier = verifier
        }
    }
}

extension GitHub.WebSignIn {
    /// Checks the address that the browser came back with.
    ///
    /// - Throws: ``BrowseError``: `.signInFailed(.callback)` when it is no answer to this sign-in, `.signInFailed` with another
    ///   reason when it tells that the person or GitHub said no.
    public func check(_ callback: URL) throws(BrowseError) {
        _ = try code(in: callback)
    }

    /// The code in the address that the browser came back with.
    func code(in callback: URL) throws(BrowseError) -> Secret {
        let came = URLComponents(url: callback, resolvingAgainstBaseURL: true)
        let items = came?.queryItems ?? []
        func values(of name: String) -> [String] { items.filter { $0.name == name }.map { $0.value ?? "" } }
        let states = values(of: "state")
        let isOurs = states.count == 1 && states[0].isSame(as: state)
        // Also at another address: of a wrong redirect address GitHub tells at the one that the app is registered with.
        if isOurs, let error = values(of: "error").first {
            throw .signInFailed(BrowseError.SignInFailure(gitHub: error))
        }
        guard let came, let expected = URLComponents(url: redirect, resolvingAgainstBaseURL: true), came.isAt(expected)
        else { throw .signInFailed(.callback(.otherAddress)) }
        // Without it nothing else in the address means anything.
        guard isOurs else { throw .signInFailed(.callback(.wrongState)) }
        let codes = values(of: "code")
        guard codes.count == 1, let code = try? Secret(codes[0]) else { throw .signInFailed(.callback(.noCode)) }
        return code
    }
}

extension URLComponents {
    /// Whether an address is this one, but for what was added to the query.
    fileprivate func isAt(_ other: URLComponents) -> Bool {
        let isSamePlace =
            scheme?.lowercased() == other.scheme?.lowercased() && host?.lowercased() == other.host?.lowercased()
            && effectivePort == other.effectivePort && user == other.user && password == other.password
            && Self.path(percentEncodedPath) == Self.path(other.percentEncodedPath)
        let items = queryItems ?? []
        return isSamePlace && (other.queryItems ?? []).allSatisfy(items.contains)
    }

    /// The port, that of the scheme when none is named (RFC 9110, section 4.2).
    private var effectivePort: Int? {
        if let port { return port }
        switch scheme?.lowercased() {
        case "https": return 443
        case "http": return 80
        default: return nil
        }
    }

    /// An address without a path is the same as one with a slash.
    private static func path(_ path: String) -> String { path.isEmpty ? "/" : path }
}

extension String {
    /// Whether two texts are the same, in a time that does not tell where they differ.
    fileprivate func isSame(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension Data {
    /// Base 64 for addresses, without padding (RFC 4648, section 5).
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension BrowseError.SignInFailure {
    /// What GitHub's word for an error means; the set is open.
    ///
    /// Source: GitHub's "Troubleshooting OAuth app access token request errors" and "… authorization request errors"; RFC 6749,
    /// section 5.2.
    package init(gitHub word: String) {
        self =
            switch word {
            case "access_denied": .denied
            case "expired_token", "token_expired": .expired
            case "bad_verification_code", "incorrect_device_code", "bad_refresh_token", "invalid_grant": .invalidCode
            case "incorrect_client_credentials", "invalid_client", "application_suspended": .incorrectClient
            case "redirect_uri_mismatch": .redirectMismatch
            case "unverified_user_email": .unverifiedEmail
            case "device_flow_disabled": .deviceFlowDisabled
            default: .other(Self.isErrorCode(word) ? word : "…")
            }
    }

    /// Whether a text has the form of OAuth's error codes: at most 60 lowercase letters, in words of at most 19 with `_` between.
    ///
    /// Anything else could be a secret that the server repeats.
    private static func isErrorCode(_ text: String) -> Bool {
        (1...60).contains(text.utf8.count)
            && text.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false).allSatisfy { word in
                (1...19).contains(word.count)
                    && word.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            }
    }
}
