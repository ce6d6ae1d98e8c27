@_exported public import BrowseAppStore
public import BrowseCore
@_exported public import BrowseGitHub
@_exported public import BrowseRickAndMorty

extension [any ServiceSettings.Type] {
    /// The services of the SDK.
    ///
    /// ```swift
    /// let container = Container(services: .all + [BooksSettings.self])
    /// ```
    public static var all: Self { [GitHubSettings.self, RickAndMortySettings.self, AppStoreSettings.self] }
}

extension Container {
    /// Creates a container with the services of the SDK; its values are created on demand.
    ///
    /// The configuration isn't validated. Call `Configuration.validate()` if a user or a file
    /// supplied it.
    public init(_ configuration: Configuration = Configuration()) {
        self.init(configuration, services: .all)
    }
}
