public import BrowseCore
import BrowseData
import Foundation

/// A server that answers like the service of an app's settings.
///
/// Conform a type to it to have a service of your own in `Container.offline(services:)`;
/// <doc:AddYourOwnService> has an example.
public protocol OfflineService: OfflineServer {
    /// The settings of the service, which have its name and base URL.
    associatedtype Settings: ServiceSettings

    /// Returns the base URLs whose requests it answers; by default, that of the settings.
    func baseURLs(in configuration: Configuration) -> [URL]

    /// Returns the side of the image at a URL, in pixels; `nil`, the default, if there is none.
    func imageSide(at url: URL) -> Int?

    /// Changes the settings of an offline container, such as to allow signing in; by default,
    /// nothing.
    func adjust(_ configuration: inout Configuration)
}

extension OfflineService {
    /// The base URL of the settings.
    public func baseURLs(in configuration: Configuration) -> [URL] {
        [configuration[Settings.self].service(in: configuration).baseURL]
    }

    /// The default, `nil`: no URL is an image of the service.
    public func imageSide(at url: URL) -> Int? { nil }

    /// Keeps the configuration as it is; the default.
    public func adjust(_ configuration: inout Configuration) {}

    /// The type of the settings.
    var settings: any ServiceSettings.Type { Settings.self }
}
