/// The content of sessions that load nothing but the user.
public struct NoSessionContent: SessionContent {
    /// Creates content that is empty.
    public init() {}

    /// Returns immediately, because there is nothing to load.
    public func load() async {}
}
