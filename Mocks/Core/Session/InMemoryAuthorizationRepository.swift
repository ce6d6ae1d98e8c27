public import BrowseDomain
public import Foundation

/// An authorization repository without a server, for tests.
///
/// Calls without an answer throw `.signInFailed(.notConfigured(missing:))`, except for revocations.
/// In a test with the trait `.verifiesMocks`, an answer to another kind of call is an issue.
public struct InMemoryAuthorizationRepository: AuthorizationRepository {
    /// A call.
    public enum Call: Hashable, Sendable {
        /// The exchange of a code.
        case exchange(Secret, verifier: Secret)
        /// A request for a device code.
        case deviceCode
        /// A poll of the device flow.
        case poll(DeviceCode)
        /// The exchange of a refresh token.
        case refresh(Secret)
        /// A revocation.
        case revoke(Credentials)
    }

    /// A result.
    public enum Answer: Hashable, Sendable {
        /// The result of an exchange, or of a refresh.
        case credentials(Credentials)
        /// The result of a request for a device code.
        case code(DeviceCode)
        /// The result of a poll.
        case poll(DevicePoll)
    }

    private let redirect: URL?
    private let onCall: CallHook<Call, Answer>?

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - redirect: The redirect of web pages; `nil` makes them fail with
    ///     `.signInFailed(.notConfigured(missing:))`.
    ///   - onCall: Answers each call.
    public init(
        redirect: URL? = URL(string: "app.browsekit:/signed-in"),
        onCall: CallHook<Call, Answer>? = nil
    ) {
        self.redirect = redirect
        self.onCall = onCall
    }

    /// Returns a page whose URL contains the redirect and the state, which ``SignInPage`` reads.
    public func webPage(state: String, verifier: Secret) throws(BrowseError) -> (page: URL, redirect: URL) {
        guard let redirect, let page = URL(string: "https://sign-in.example/authorize") else {
            throw .signInFailed(.notConfigured(missing: "redirect"))
        }
        let items = [
            URLQueryItem(name: "redirect_uri", value: redirect.absoluteString),
            URLQueryItem(name: "state", value: state),
        ]
        return (page.appending(queryItems: items), redirect)
    }

    /// Returns the credentials of the answer.
    public func exchange(_ code: Secret, verifier: Secret) async throws(BrowseError) -> Credentials {
        try await credentials(for: .exchange(code, verifier: verifier))
    }

    /// Returns the code of the answer.
    public func deviceCode() async throws(BrowseError) -> DeviceCode {
        let answer = try await onCall?(.deviceCode)
        guard case .code(let code)? = answer else { throw failure(of: .deviceCode, answer) }
        return code
    }

    /// Returns the result of the answer.
    public func poll(_ code: DeviceCode) async throws(BrowseError) -> DevicePoll {
        let answer = try await onCall?(.poll(code))
        guard case .poll(let poll)? = answer else { throw failure(of: .poll(code), answer) }
        return poll
    }

    /// Returns the credentials of the answer.
    public func refresh(_ refreshToken: Secret) async throws(BrowseError) -> Credentials {
        try await credentials(for: .refresh(refreshToken))
    }

    /// Always `true`.
    public var canRevoke: Bool { true }

    /// Calls `onCall`.
    public func revoke(_ credentials: Credentials) async throws(BrowseError) {
        _ = try await onCall?(.revoke(credentials))
    }

    private func credentials(for call: Call) async throws(BrowseError) -> Credentials {
        let answer = try await onCall?(call)
        guard case .credentials(let credentials)? = answer else { throw failure(of: call, answer) }
        return credentials
    }

    private func failure(of call: Call, _ answer: Answer?) -> BrowseError {
        TestScope.reportUnused(answer, by: call)
        return .signInFailed(.notConfigured(missing: "an answer to \(call)"))
    }
}
