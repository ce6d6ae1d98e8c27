public import BrowseCoreMocks

extension ReplayingTransport {
    /// The error for a test without the trait `.replay`.
    public struct NotReplaying: Error, CustomStringConvertible {
        /// A hint.
        public var description: String { "The test has no recording. Add the trait: @Test(.replay(\"session.har\"))." }
    }

    /// The replay of the current test, for networking code of the app's own.
    ///
    /// - Throws: ``NotReplaying`` in a test without the trait `.replay`.
    public static func current() throws(NotReplaying) -> ReplayingTransport {
        guard let replay = ReplayTrait.current else { throw NotReplaying() }
        return replay
    }
}
