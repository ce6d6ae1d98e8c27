import BrowseDomain
public import Foundation

extension HTTPClient.Service {
    /// The reason that a service can't be used.
    public enum Problem: Error, Hashable, Sendable, CaseIterable {
        /// The base URL doesn't begin with `http://` or `https://` in lowercase.
        case unsupportedScheme
        /// The base URL has no host, or an invalid port.
        case missingHost
        /// The base URL contains a username or password, which caches and logs would contain, too.
        case userInfo
        /// The base URL has a query or fragment, so paths can't be appended.
        case queryOrFragment
        /// The base URL's path has an empty segment, or one that is `.` or `..`.
        case ambiguousPath
        /// The name of a header field isn't a token, or its value contains a control character.
        case unusableHeader
        /// Requests contain secrets, and the base URL neither uses https nor is on this device.
        case insecureConnection
    }

    /// Checks whether requests to the service can be sent.
    ///
    /// - Throws: The first problem that is found. A client refuses every request to an invalid service.
    public func validate() throws(Problem) {
        let text = baseURL.absoluteString
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else { throw .unsupportedScheme }
        let parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
        let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#\\".contains($0) }
        guard !authority.contains("@"), parts?.user == nil, parts?.password == nil else { throw .userInfo }
        guard let origin = Origin(baseURL) else { throw .missingHost }
        guard !text.contains("?"), !text.contains("#") else { throw .queryOrFragment }
        var path = baseURL.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        guard !path.contains("//"), !path.hasDotSegment else { throw .ambiguousPath }
        guard headers.areWellFormed else { throw .unusableHeader }
        let sendsSecrets = carriesSecrets == true || !credentialFields.isEmpty || !credentialQueryItems.isEmpty
        guard !sendsSecrets || origin.isPrivate else { throw .insecureConnection }
    }
}

extension HTTPClient.Service.Problem: LocalizedError {
    /// A sentence for developers, in English, without values of the service.
    public var errorDescription: String? {
        switch self {
        case .unsupportedScheme: "The base URL doesn't begin with http:// or https:// in lowercase."
        case .missingHost: "The base URL has no host, or an invalid port."
        case .userInfo: "The base URL contains a username or password."
        case .queryOrFragment: "The base URL has a query or fragment."
        case .ambiguousPath: "The base URL's path has an empty segment, or one that is . or .. only."
        case .unusableHeader: "The name or value of a header field contains a character that isn't allowed."
        case .insecureConnection: "The base URL must use https, because requests contain secrets."
        }
    }
}
