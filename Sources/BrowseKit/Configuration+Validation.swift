public import BrowseData
import BrowseDomain
public import Foundation

extension Configuration {
    /// The reason why a configuration can't be used.
    public enum Problem: Error, Hashable, Sendable {
        /// The user agent is empty, or contains a line break or another control character.
        case userAgent
        /// A service's base URL is invalid, or would send secrets over http.
        case baseURL(Service, HTTPClient.Service.Problem)
        /// The app has no client ID, or one that isn't visible ASCII.
        case clientID
        /// The redirect URL lacks a scheme, or has a user, password, or fragment (RFC 6749, section 3.1.2).
        case redirect
        /// The storage folder or the cache folder isn't a file URL.
        case folder
    }

    /// A service with a base URL.
    public enum Service: Hashable, Sendable, CaseIterable {
        /// GitHub's API: ``Configuration/gitHubURL``.
        case gitHub
        /// GitHub's website for signing in: ``Configuration/gitHubWebURL``.
        case gitHubWeb
        /// The Rick and Morty API: ``Configuration/rickAndMortyURL``.
        case rickAndMorty
        /// The App Store's lookup service: ``Configuration/appStoreURL``.
        case appStore
    }

    /// Validates all values that a user or a file may have supplied.
    ///
    /// Creating a ``Container`` doesn't validate. With an invalid configuration, all requests fail with
    /// `.refused(.invalidConfiguration)`, and nothing is sent or cached. A ``Problem`` contains no values of the configuration,
    /// so it can be logged.
    ///
    /// - Throws: The first ``Problem``, in the order of its cases and of ``Service``.
    public func validate() throws(Problem) {
        let isName = userAgent.utf8.contains { $0 > 0x20 } && userAgent.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard isName else { throw .userAgent }
        for service in Service.allCases {
            do throws(HTTPClient.Service.Problem) {
                try description(of: service).validate()
            } catch {
                throw .baseURL(service, error)
            }
        }
        if let app = gitHubApp {
            let isID = !app.clientID.isEmpty && app.clientID.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            guard isID else { throw .clientID }
            if let redirect = app.redirect {
                let isUsable = redirect.scheme?.isEmpty == false && redirect.user() == nil && redirect.password() == nil
                guard isUsable, !redirect.absoluteString.contains("#") else { throw .redirect }
            }
        }
        guard [storageFolder, cacheFolder].allSatisfy({ $0?.isFileURL != false }) else { throw .folder }
    }

    private func description(of service: Service) -> HTTPClient.Service {
        switch service {
        case .gitHub: return .gitHub(self)
        case .gitHubWeb:
            var web = HTTPClient.Service.gitHubWeb(self)
            // Without an app, no secrets are sent there.
            web.carriesSecrets = gitHubApp != nil
            return web
        case .rickAndMorty: return .rickAndMorty(self)
        case .appStore: return .appStore(self)
        }
    }
}

extension Configuration.Problem: LocalizedError {
    /// A sentence for developers, in English, without values of the configuration.
    public var errorDescription: String? {
        switch self {
        case .userAgent: "The user agent is empty, or contains a line break or another control character."
        case .baseURL(let service, let problem): "\(service): \(problem.errorDescription ?? "")"
        case .clientID: "The app's client ID is empty, or isn't visible ASCII."
        case .redirect: "The redirect URL lacks a scheme, or has a user, password, or fragment."
        case .folder: "The storage folder or the cache folder isn't a file URL."
        }
    }
}
