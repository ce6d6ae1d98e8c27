package import Foundation

/// The state of a service's session.
///
/// The first state is ``restoring``. A session begins as ``signingIn``, continues as
/// ``identified(_:)`` and ``ready(_:)``, and can end at any time. When ``SessionManager/sessions``
/// delivers a case, everything that the case describes is in place.
public enum Session<User: SessionUser>: Hashable, Sendable {
    /// The stored session hasn't been read yet.
    ///
    /// It can't be read before the device's first unlock.
    case restoring
    /// No user is signed in.
    case signedOut(SignOutReason)
    /// Requests carry a token, whose user is being loaded.
    case signingIn
    /// The user couldn't be loaded, but the token may be valid; ``SessionManager/retry()`` tries
    /// again.
    case unidentified(BrowseError)
    /// The user is known; the session's content is being loaded.
    case identified(User)
    /// The content is loaded, or failed to load; screens can show the user's content.
    case ready(User)

    /// The signed-in user, once known.
    public var user: User? {
        switch self {
        case .identified(let user), .ready(let user): user
        case .restoring, .signedOut, .signingIn, .unidentified: nil
        }
    }
}

/// The reason why no user is signed in.
public enum SignOutReason: Hashable, Sendable {
    /// No session is stored.
    case noSession
    /// The user signed out, or a sign-in replaced the session; here or in another process.
    case requested
    /// The service rejected the token.
    case revoked
    /// The service rejected the token, which has expired and can't be refreshed.
    case expired
    /// The service rejected the token of a sign-in whose user it has never reported.
    case refused
    /// The service doesn't accept the app's own token, which wasn't stored by a sign-in.
    ///
    /// Requests continue to try it.
    case tokenRefused
    /// The stored session can't be used; for example, because other users can read its file.
    case storage(StorageFailure)
}

/// A user of a service, whose session is a ``Session``.
///
/// The user is stored with the token, so that a restored session knows it without a request.
public protocol SessionUser: Codable, Hashable, Sendable {
    /// The content that a session loads between the user and the screens; none by default.
    associatedtype Content: SessionContent = NoSessionContent

    /// A nonsecret identifier that never changes, such as the service's number of the user.
    ///
    /// Screens start over when it changes. It isn't the key of cached responses and rate limits,
    /// which belong to a sign-in.
    var accountID: String { get }
}

/// Content of the signed-in user that all screens need, such as the identifiers of starred items.
///
/// ``SessionManager`` calls ``activate()`` before it reports ``Session/signingIn``, ``load()``
/// before ``Session/ready(_:)``, and ``end()`` before it reports the end of a session; then
/// ``discardPending()``, unless the service ended it. It calls ``load()`` again to reload, and
/// ``activate()`` again to load a user that couldn't be loaded.
public protocol SessionContent: Sendable {
    /// Starts a session; does nothing by default.
    func activate()

    /// Loads the content; the session is ready when this returns, even if the load failed.
    func load() async

    /// Whether the last load failed, so that ``SessionManager/retry()`` repeats it; `false` by
    /// default.
    var needsReload: Bool { get }

    /// Discards the user's content, except changes made before the sign-in; does nothing by
    /// default.
    func end()

    /// Discards changes that wait for a sign-in, after a cancellation or a sign-out; nothing by
    /// default.
    func discardPending()
}

extension SessionContent {
    /// Does nothing when a session starts; the default.
    public func activate() {}

    /// Always `false`: a failed load isn't repeated; the default.
    public var needsReload: Bool { false }

    /// Discards nothing when a session ends; the default.
    public func end() {}

    /// Discards no changes when a sign-in is canceled; the default.
    public func discardPending() {}
}

/// The content of sessions that load nothing but the user.
public struct NoSessionContent: SessionContent {
    /// Creates content that is empty.
    public init() {}

    /// Returns immediately, because there is nothing to load.
    public func load() async {}
}

/// A signed-in user in encoded form, as ``Credentials`` store it.
public struct StoredUser: Hashable, Sendable {
    /// The ``SessionUser/accountID``.
    package let accountID: String
    /// The encoded user; empty if it couldn't be encoded.
    package let data: Data

    package init(accountID: String, data: Data) {
        self.accountID = accountID
        self.data = data
    }

    /// Encodes a user; one that can't be encoded is loaded again by the next session that is
    /// restored.
    package init(_ user: some SessionUser) {
        let encoder = JSONEncoder()
        // Equal users have equal bytes.
        encoder.outputFormatting = .sortedKeys
        // Much less than a store of credentials can hold.
        let data = (try? encoder.encode(user)).flatMap { $0.count <= 1 << 19 ? $0 : nil }
        self.init(accountID: user.accountID, data: data ?? Data())
    }

    /// Decodes the user; `nil` if another type of user was stored.
    package func user<User: SessionUser>(as type: User.Type = User.self) -> User? {
        try? JSONDecoder().decode(type, from: data)
    }
}
