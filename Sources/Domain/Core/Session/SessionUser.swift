import Foundation

/// A user of a service, whose session is a ``Session``.
///
/// The user is stored with the token, so that a restored session knows it without a request.
public protocol SessionUser: Codable, Hashable, Sendable {
    /// The content that a session loads between the user and the screens; none by default.
    associatedtype Content: SessionContent = NoSessionContent

    /// A nonsecret identifier that never changes, such as the service's number of the user.
    ///
    /// It identifies the user's cached responses and rate limits if the token can be refreshed.
    var accountID: String { get }
}

/// Content of the signed-in user that all screens need, such as the identifiers of starred items.
///
/// ``SessionManager`` calls ``activate()`` before it reports ``Session/signingIn``, ``load()`` before ``Session/ready(_:)``, and
/// ``end()`` before it reports the end of a session; then ``discardPending()``, unless the service ended it. It calls ``load()``
/// again to reload, and ``activate()`` again to load a user that couldn't be loaded.
public protocol SessionContent: Sendable {
    /// Starts a session; does nothing by default.
    func activate()

    /// Loads the content; the session is ready when this returns, even if the load failed.
    func load() async

    /// Whether the last load failed, so that ``SessionManager/retry()`` repeats it; `false` by default.
    var needsReload: Bool { get }

    /// Discards the user's content, except changes made before the sign-in; does nothing by default.
    func end()

    /// Discards changes that wait for a sign-in, after a cancellation or a sign-out; nothing by default.
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
    public let accountID: String
    /// The encoded user.
    package let value: JSONValue

    package init(accountID: String, value: JSONValue) {
        self.accountID = accountID
        self.value = value
    }

    /// Encodes a user; one that can't be encoded is loaded again by the next session that is restored.
    public init(_ user: some SessionUser) {
        // Much less than a store of credentials can hold.
        let data = (try? JSONEncoder().encode(user)).flatMap { $0.count <= 1 << 19 ? $0 : nil }
        let value = data.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
        self.init(accountID: user.accountID, value: value ?? .null)
    }

    /// Decodes the user; `nil` if another type of user was stored.
    public func user<User: SessionUser>(as type: User.Type = User.self) -> User? {
        guard let data = try? JSONEncoder().encode(value) else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }
}
