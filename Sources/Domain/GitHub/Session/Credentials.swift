#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension GitHub {
    /// What GitHub asks for with each request of somebody who signed in; it prints as `***`.
    public typealias AccessToken = Secret

    /// What a sign-in gives: the token, and how to come by the next one.
    public struct Credentials: Hashable, Sendable {
        /// What is sent with each request.
        public var token: AccessToken
        /// When the token ends; `nil` when it does not.
        public var expiresAt: Date?
        /// What the next token is asked for with; `nil` when there will be none.
        public var refreshToken: Secret?
        /// When the refresh token ends; `nil` when it does not, or there is none.
        public var refreshExpiresAt: Date?
        /// What the token may be used for, in GitHub's words; empty when GitHub did not say.
        public var scopes: [String]
        /// Whose they are, once that is known.
        public var user: User?
        /// The sign-in that they come from, if they were refreshed; the same after each refresh.
        package var signInID: String?

        /// Creates credentials; a personal access token needs nothing but itself.
        public init(
            token: AccessToken,
            expiresAt: Date? = nil,
            refreshToken: Secret? = nil,
            refreshExpiresAt: Date? = nil,
            scopes: [String] = [],
            user: User? = nil
        ) {
            self.token = token
            self.expiresAt = expiresAt
            self.refreshToken = refreshToken
            self.refreshExpiresAt = refreshExpiresAt
            self.scopes = scopes
            self.user = user
        }
    }
}
