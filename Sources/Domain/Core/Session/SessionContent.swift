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
