public import BrowseData
public import BrowseDomain
public import Foundation

extension Container {
    /// Creates a store of a service's session: in the Keychain on Apple platforms, in a file
    /// elsewhere.
    ///
    /// Command-line tools, which have no keychain entitlement, use a file in the storage folder
    /// too. In the container of a user, it's the user's store, with or without a configured token.
    ///
    /// - Parameters:
    ///   - name: The name of the session; each has its own store.
    ///   - keychainAccessGroup: The keychain access group that shares the session with app
    ///     extensions; `nil` uses the app's groups.
    ///   - configuredToken: A token that replaces the stored session, and stays in memory.
    public func makeTokenStore(
        for name: SessionName,
        keychainAccessGroup: String? = nil,
        configuredToken: AccessToken? = nil
    ) -> any TokenStore {
        if let user { return user.tokens(name) }
        if let configuredToken { return InMemoryTokenStore(Credentials(token: configuredToken)) }
        let folder = configuration.storageFolder ?? Configuration.defaultStorageFolder
        let file = FileTokenStore(folder: folder, name: name)
        switch configuration.sessionStorage {
        case .memory: return InMemoryTokenStore()
        case .file: return file
        case .system:
            #if canImport(Security)
            return KeychainTokenStore(name: name, accessGroup: keychainAccessGroup, fileStore: file)
            #else
            return file
            #endif
        }
    }

    /// Creates a repository that stores and refreshes a service's token; use it as a singleton.
    ///
    /// <doc:AddYourOwnSignIn> has an example.
    ///
    /// - Parameters:
    ///   - servers: The base URLs of the APIs that the token is for, whose cached responses are
    ///     erased when the session ends.
    ///   - store: The store of the session.
    ///   - authorization: Refreshes and revokes tokens.
    ///   - configuredToken: A token that stays in use when the service refuses it, such as the
    ///     app's own.
    public func makeTokenRepository(
        for servers: URL...,
        store: any TokenStore,
        authorization: any AuthorizationRepository,
        configuredToken: AccessToken? = nil
    ) -> StoredTokenRepository {
        let responses = responseCache()
        return StoredTokenRepository(
            store: store,
            authorization: authorization,
            eraseResponses: { for server in servers { await responses.removeAll(of: $0, at: server) } },
            configuredToken: configuredToken,
            // Longer than an attempt to refresh takes.
            refreshLockTimeout: min(configuration.limits.duration, TimeLimit.longest) * 2,
            clock: configuration.clock,
            now: configuration.now
        )
    }

    /// Creates a repository that requests and revokes tokens.
    ///
    /// - Parameters:
    ///   - app: The app; if `nil`, signing in throws `.signInFailed(.notConfigured(missing:))`.
    ///   - server: The addresses of the OAuth server.
    ///   - baseURL: The base URL of the server's paths; it must use https or be on this device.
    public func makeAuthorizationRepository(
        app: OAuthApp?,
        server: OAuthServer,
        baseURL: URL
    ) -> any AuthorizationRepository {
        server.repository(
            for: app,
            // Without a token: these requests carry the app's own credentials.
            client: plainClient(of: .oAuth(baseURL: baseURL, userAgent: configuration.userAgent))
        )
    }

    /// Creates what a screen for signing in needs, by the configuration's clock.
    public func makeOAuthSignIn(by authorization: any AuthorizationRepository) -> OAuthSignIn {
        OAuthSignIn(authorization: authorization, clock: configuration.clock, now: configuration.now)
    }
}
