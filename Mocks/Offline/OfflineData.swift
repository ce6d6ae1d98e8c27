public import Foundation

/// The data of the offline services: JSON files in the form of the services' responses.
///
/// The name of a file determines its content, so new files need no code. `N` is the number of a page.
///
/// | File | Content |
/// |---|---|
/// | `GitHub/user-NAME` | a profile |
/// | `GitHub/followers-LOGIN-N`, `GitHub/following-LOGIN-N` | pages of accounts |
/// | `GitHub/repos-LOGIN-N` | pages of an account's public repositories |
/// | `GitHub/private-LOGIN-N` | pages of repositories that only the account can access |
/// | `GitHub/starred-LOGIN-N` | pages of starred repositories, the latest star first |
/// | `RickAndMorty/character-N`, `RickAndMorty/episode-N`, `RickAndMorty/location-N` | pages of the lists |
/// | `AppStore/apps`, `AppStore/apps-CC` | apps in all countries, and in one country |
///
/// ```swift
/// let own = try OfflineData(contentsOf: folder)
/// let services = OfflineServices(data: try OfflineData.bundled.adding(own))
/// ```
public struct OfflineData: Sendable {
    /// Data that has an unexpected form.
    public struct Unreadable: Error, Hashable, CustomStringConvertible {
        /// The file, and what is wrong with it.
        public let description: String
    }

    private(set) var gitHub: Result<GitHubFixtures, Unreadable>
    let rickAndMorty: Result<RickAndMortyFixtures, Unreadable>
    let appStore: Result<AppStoreFixtures, Unreadable>
    private let files: [String: Data]

    /// The bundled, fictional data; see ``OfflineGitHub`` and the other services for its content.
    public static let bundled = OfflineData(unchecked: Fixture.bundled)

    /// Reads the folders `GitHub`, `RickAndMorty`, and `AppStore` of a folder, as far as they exist.
    ///
    /// - Parameter folder: The folder, such as `Fixtures` in a test bundle's `resourceURL`.
    /// - Throws: ``Unreadable`` when a file can't be read, or none of the folders exists.
    public init(contentsOf folder: URL) throws(Unreadable) {
        var files: [String: Data] = [:]
        for service in ["GitHub", "RickAndMorty", "AppStore"] {
            let urls = try? FileManager.default.contentsOfDirectory(
                at: folder.appending(path: service, directoryHint: .isDirectory),
                includingPropertiesForKeys: nil
            )
            for url in urls ?? [] where url.pathExtension == "json" {
                let name = "\(service)/\(url.deletingPathExtension().lastPathComponent)"
                guard let data = try? Data(contentsOf: url) else {
                    throw Unreadable(description: "\(url.path(percentEncoded: false)) can't be read.")
                }
                files[name] = data
            }
        }
        guard !files.isEmpty else {
            let path = folder.path(percentEncoded: false)
            throw Unreadable(description: "\(path) has no JSON files in GitHub, RickAndMorty, or AppStore.")
        }
        try self.init(files: files)
    }

    /// Reads JSON from memory.
    ///
    /// - Parameter files: The bytes of each file by its name without extension, such as `GitHub/user-mona`.
    /// - Throws: ``Unreadable`` when a file has an unexpected form.
    public init(files: [String: Data]) throws(Unreadable) {
        self.init(unchecked: files)
        _ = try gitHub.get()
        _ = try rickAndMorty.get()
        _ = try appStore.get()
    }

    private init(unchecked files: [String: Data]) {
        self.files = files
        let fixtures = files.map { Fixture(name: $0.key, data: $0.value) }.sorted { $0.name < $1.name }
        gitHub = Result { () throws(Unreadable) in try GitHubFixtures(fixtures) }
        rickAndMorty = Result { () throws(Unreadable) in try RickAndMortyFixtures(fixtures) }
        appStore = Result { () throws(Unreadable) in try AppStoreFixtures(fixtures) }
    }

    /// Returns this data with other data added, which replaces files with the same name.
    ///
    /// Generated followers of the other data are omitted; add them afterwards.
    ///
    /// - Throws: ``Unreadable`` when the files don't fit together.
    public func adding(_ other: OfflineData) throws(Unreadable) -> OfflineData {
        try OfflineData(files: files.merging(other.files) { $1 })
    }

    /// Returns this data with generated followers of an account; the same seed generates the same rows.
    ///
    /// Rows are made on demand, so that 100,000 followers need no memory.
    ///
    /// - Parameters:
    ///   - count: The number of followers, 0 to 1,000,000; other values are clamped.
    ///   - login: The account, which is added when it doesn't exist; its other followers are replaced.
    ///   - seed: Determines the followers' logins and numbers.
    public func addingFollowers(_ count: Int, of login: String, seed: UInt64 = 0) -> OfflineData {
        var data = self
        data.gitHub = gitHub.map { $0.adding(.followers(count, seed: seed), to: login) }
        return data
    }
}
