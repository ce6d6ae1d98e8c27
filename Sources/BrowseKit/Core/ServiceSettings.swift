public import BrowseData
public import BrowsePresentation

/// The settings of one service, stored in a ``Configuration``.
///
/// Declare a property for those of your own service in an extension of ``Configuration``, as the
/// SDK's services do:
///
/// ```swift
/// public var books: BooksSettings {
///     get { self[BooksSettings.self] }
///     set { self[BooksSettings.self] = newValue }
/// }
/// ```
public protocol ServiceSettings: Sendable {
    /// The service's name in problems, which no other service has.
    ///
    /// Settings are validated in the order of their names.
    static var name: String { get }
    /// The kinds of favorites that the service adds to a container; none by default.
    static var favoriteKinds: [FavoriteKind] { get }
    /// The servers of the service that offer images in several sizes; none by default.
    static var imageSizes: [ImageSizes] { get }

    /// Creates the default settings, which must be valid.
    init()

    /// Returns the service that clients send requests to.
    ///
    /// A configuration is invalid if the service is: for example, if its base URL uses http and
    /// `HTTPClient.Service.carriesSecrets` is `true`.
    ///
    /// - Parameter configuration: The values that services share, such as the user agent.
    func service(in configuration: Configuration) -> HTTPClient.Service

    /// Validates the values that aren't part of the service; by default, all are valid.
    ///
    /// - Throws: Usually ``Configuration/Problem/setting(service:reason:)``.
    func validate(in configuration: Configuration) throws(Configuration.Problem)
}

extension ServiceSettings {
    /// No kinds of favorites; the default.
    public static var favoriteKinds: [FavoriteKind] { [] }
    /// No servers of images; the default.
    public static var imageSizes: [ImageSizes] { [] }
    /// Accepts all settings; the default.
    public func validate(in configuration: Configuration) throws(Configuration.Problem) {}
}
