import BrowseCore
import BrowseData

nonisolated extension Container {
    /// Requests and revokes tokens.
    public var lettersAuthorization: Dependency<any AuthorizationRepository> {
        dependency(.singleton) { container in
            let settings = container.configuration.letters
            return container.makeAuthorizationRepository(
                app: settings.app,
                server: settings.server,
                baseURL: settings.url
            )
        }
    }

    /// Stores and refreshes the token.
    public var lettersTokens: Dependency<StoredTokenRepository> {
        dependency(.singleton) { container in
            container.makeTokenRepository(
                for: container.configuration.letters.url,
                store: container.makeTokenStore(
                    for: SessionName(LettersSettings.name, at: container.configuration.letters.url)
                ),
                authorization: container.lettersAuthorization()
            )
        }
    }

    /// The client of the API.
    public var lettersClient: Dependency<HTTPClient> {
        dependency(.singleton) { container in
            container.client(
                of: container.configuration.letters.service(in: container.configuration),
                tokens: container.lettersTokens()
            )
        }
    }

    /// The session.
    public var lettersSession: Dependency<SessionManager<Writer>> {
        dependency(.singleton) { container in
            let client = container.lettersClient()
            return SessionManager(
                tokens: container.lettersTokens(),
                content: Drafts(client: client)
            ) { () throws(BrowseError) in try await client.send(.me) }
        }
    }
}

@MainActor
extension Container {
    /// The screen for signing in.
    public func lettersSignInViewModel() -> SignInViewModel<Writer> {
        SignInViewModel(
            session: lettersSession(),
            oauth: makeOAuthSignIn(by: lettersAuthorization()),
            texts: texts().about(.letters)
        )
    }
}
