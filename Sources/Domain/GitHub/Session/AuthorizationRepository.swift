#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension GitHub {
    /// Where GitHub lets a person sign in to an app, and hands out tokens for it.
    ///
    /// Choose `RemoteAuthorizationRepository` of BrowseData for GitHub, or `AuthorizationRepositoryDouble` of BrowseMocks in
    /// tests. ``SignInOnDevice`` and ``SignInOnWeb`` are the rules that know in which order to ask.
    ///
    /// All methods throw ``BrowseError``: `.signInFailed` when GitHub says no, or when the app is not configured for it.
    public protocol AuthorizationRepository: Sendable {
        /// The page where the person agrees, and where it leads back to.
        ///
        /// - Parameters:
        ///   - state: Comes back with the answer, so that nobody else's is taken for it.
        ///   - verifier: Only its hash is told; the code can be exchanged by its holder alone (PKCE, RFC 7636).
        func webPage(state: String, verifier: Secret) throws(BrowseError) -> (page: URL, redirect: URL)

        /// Exchanges the code that the browser came back with.
        func exchange(_ code: Secret, verifier: Secret) async throws(BrowseError) -> Credentials

        /// Asks for a code that a person types on another device.
        func deviceCode() async throws(BrowseError) -> DeviceCode

        /// Asks whether the person has typed it.
        func poll(_ code: DeviceCode) async throws(BrowseError) -> DevicePoll

        /// Exchanges a refresh token, after which it is no longer good.
        func refresh(_ refreshToken: Secret) async throws(BrowseError) -> Credentials

        /// Makes a token worthless; does nothing when the app has no secret, which GitHub demands for it.
        func revoke(_ token: AccessToken) async throws(BrowseError)
    }

    /// A code that a person types at GitHub to let this device in.
    public struct DeviceCode: Hashable, Sendable {
        /// What the person types, as in `WDJB-MJHT`.
        public let userCode: String
        /// Where they type it.
        public let page: WebAddress
        /// How long the code is good for.
        public let lifetime: Duration
        /// How long to wait between questions, at least.
        public let interval: Duration
        /// What this device asks with.
        public let deviceCode: Secret

        /// Creates a code; used by repositories and tests.
        public init(
            userCode: String,
            page: WebAddress,
            lifetime: Duration,
            interval: Duration,
            deviceCode: Secret
        ) {
            self.userCode = userCode
            self.page = page
            self.lifetime = lifetime
            self.interval = interval
            self.deviceCode = deviceCode
        }
    }

    /// What GitHub answers while it waits for a person.
    public enum DevicePoll: Hashable, Sendable {
        /// Not yet.
        case pending
        /// Not yet, and ask less often; the new interval when GitHub named one.
        case slowDown(Duration?)
        /// The person agreed.
        case granted(Credentials)
    }
}
