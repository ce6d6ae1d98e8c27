public import BrowseCore
public import BrowseCoreMocks
import BrowseCoreTesting
import BrowseKit

extension Container {
    /// Returns the whole SDK on the recording of the current test.
    ///
    /// Requests aren't retried, and nothing is stored or cached unless the configuration names a
    /// folder.
    ///
    /// - Parameter configuration: The settings; base URLs must be those of the recording.
    /// - Throws: `ReplayingTransport.NotReplaying` in a test without the trait `.replay`.
    public static func replay(
        configuration: Configuration = Configuration()
    ) throws(ReplayingTransport.NotReplaying) -> Container {
        try replay(configuration: configuration, services: .all)
    }
}
