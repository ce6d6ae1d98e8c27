public import BrowseDomain
public import Foundation

/// An authorization repository whose results a test sets as closures; see ``RepositoryDouble``.
public struct AuthorizationRepositoryDouble: AuthorizationRepository, RepositoryDouble {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// The exchange of a code.
        case exchange(Secret)
        /// A request for a device code.
        case deviceCode
        /// A poll of the device flow.
        case poll(DeviceCode)
        /// The exchange of a refresh token.
        case refresh(Secret)
        /// A revocation.
        case revoke(Credentials)
    }

    /// Performs ``webPage(state:verifier:)``; by default, returns a page whose URL contains the state.
    public var onWebPage: @Sendable (String, Secret) throws(BrowseError) -> (page: URL, redirect: URL)
    /// Performs ``exchange(_:verifier:)``.
    public var onExchange: @Sendable (Secret, Secret) async throws(BrowseError) -> Credentials
    /// Performs ``deviceCode()``.
    public var onDeviceCode: @Sendable () async throws(BrowseError) -> DeviceCode
    /// Performs ``poll(_:)``.
    public var onPoll: @Sendable (DeviceCode) async throws(BrowseError) -> DevicePoll
    /// Performs ``refresh(_:)``.
    public var onRefresh: @Sendable (Secret) async throws(BrowseError) -> Credentials
    /// Performs ``revoke(_:)``.
    public var onRevoke: @Sendable (Credentials) async throws(BrowseError) -> Void

    /// Creates a double whose calls throw, except for ``webPage(state:verifier:)``, which isn't a request.
    public init(throwing error: DoubleFailure) {
        onWebPage = Self.page(redirect: URL(string: "app.browsekit:/signed-in"))
        onExchange = { _, _ throws(BrowseError) in throw await error("onExchange", 2) }
        onDeviceCode = { () throws(BrowseError) in throw await error("onDeviceCode", 0) }
        onPoll = { _ throws(BrowseError) in throw await error("onPoll", 1) }
        onRefresh = { _ throws(BrowseError) in throw await error("onRefresh", 1) }
        onRevoke = { _ throws(BrowseError) in throw await error("onRevoke", 1) }
    }

    /// Creates a double; closures that are `nil` aren't set, and revocations do nothing.
    ///
    /// - Parameters:
    ///   - redirect: The redirect of web pages; `nil` makes them fail with `.signInFailed(.notConfigured)`.
    ///   - onExchange: Performs ``exchange(_:verifier:)``.
    ///   - onDeviceCode: Performs ``deviceCode()``.
    ///   - onPoll: Performs ``poll(_:)``.
    ///   - onRefresh: Performs ``refresh(_:)``.
    public init(
        redirect: URL? = URL(string: "app.browsekit:/signed-in"),
        onExchange: (@Sendable (Secret, Secret) async throws(BrowseError) -> Credentials)? = nil,
        onDeviceCode: (@Sendable () async throws(BrowseError) -> DeviceCode)? = nil,
        onPoll: (@Sendable (DeviceCode) async throws(BrowseError) -> DevicePoll)? = nil,
        onRefresh: (@Sendable (Secret) async throws(BrowseError) -> Credentials)? = nil
    ) {
        self.init(throwing: Self.notSet)
        onWebPage = Self.page(redirect: redirect)
        onRevoke = { _ in }
        if let onExchange { self.onExchange = onExchange }
        if let onDeviceCode { self.onDeviceCode = onDeviceCode }
        if let onPoll { self.onPoll = onPoll }
        if let onRefresh { self.onRefresh = onRefresh }
    }

    /// Creates a double that forwards calls.
    public init(over repository: any AuthorizationRepository) {
        onWebPage = { state, verifier throws(BrowseError) in
            try repository.webPage(state: state, verifier: verifier)
        }
        onExchange = { code, verifier throws(BrowseError) in
            try await repository.exchange(code, verifier: verifier)
        }
        onDeviceCode = { () throws(BrowseError) in try await repository.deviceCode() }
        onPoll = { code throws(BrowseError) in try await repository.poll(code) }
        onRefresh = { token throws(BrowseError) in try await repository.refresh(token) }
        onRevoke = { credentials throws(BrowseError) in try await repository.revoke(credentials) }
    }

    /// Returns a double whose exchanges, polls, and refreshes suspend until a test responds.
    ///
    /// Requests for a device code aren't set.
    public static func controlled(by responses: ControlledResponses<Request, Credentials>) -> Self {
        Self(
            onExchange: { code, _ throws(BrowseError) in try await responses.response(to: .exchange(code)) },
            onPoll: { code throws(BrowseError) in .granted(try await responses.response(to: .poll(code))) },
            onRefresh: { token throws(BrowseError) in try await responses.response(to: .refresh(token)) }
        )
    }

    private static func page(
        redirect: URL?
    ) -> @Sendable (String, Secret) throws(BrowseError) -> (page: URL, redirect: URL) {
        { state, _ throws(BrowseError) in
            let page = URL(string: "https://sign-in.example/authorize?state=\(state)")
            guard let redirect, let page else { throw .signInFailed(.notConfigured) }
            return (page, redirect)
        }
    }

    /// Calls ``onWebPage``.
    public func webPage(state: String, verifier: Secret) throws(BrowseError) -> (page: URL, redirect: URL) {
        try onWebPage(state, verifier)
    }

    /// Calls ``onExchange``.
    public func exchange(_ code: Secret, verifier: Secret) async throws(BrowseError) -> Credentials {
        try await onExchange(code, verifier)
    }

    /// Calls ``onDeviceCode``.
    public func deviceCode() async throws(BrowseError) -> DeviceCode { try await onDeviceCode() }

    /// Calls ``onPoll``.
    public func poll(_ code: DeviceCode) async throws(BrowseError) -> DevicePoll {
        try await onPoll(code)
    }

    /// Calls ``onRefresh``.
    public func refresh(_ refreshToken: Secret) async throws(BrowseError) -> Credentials {
        try await onRefresh(refreshToken)
    }

    /// Calls ``onRevoke``.
    public func revoke(_ credentials: Credentials) async throws(BrowseError) { try await onRevoke(credentials) }
}
