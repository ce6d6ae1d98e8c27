public import BrowseData
import BrowseDomain
import Foundation

extension Configuration {
    /// Why a configuration can't be used.
    public enum Problem: Error, Hashable, Sendable {
        /// The user agent is empty, or contains a line break or another control character.
        case userAgent
        /// A service's base URL can't be used, or would send secrets over plain http.
        case baseURL(Service, HTTPClient.Service.Problem)
        /// The app has no client ID, or one with a character that is not visible ASCII.
        case clientID
        /// The redirect URL has no scheme, or a user name, password, or fragment (RFC 6749, section 3.1.2).
        case redirect
        /// The storage folder or the cache folder isn't a file URL.
        case folder
    }

    /// A service that a configuration has a base URL of.
    public enum Service: Hashable, Sendable, CaseIterable {
        /// GitHub's API: ``Configuration/gitHubURL``.
        case gitHub
        /// GitHub's site, where people sign in: ``Configuration/gitHubWebURL``.
        case gitHubWeb
        /// The Rick and Morty API: ``Configuration/rickAndMortyURL``.
        case rickAndMorty
        /// The App Store's lookup: ``Configuration/appStoreURL``.
        case appStore
    }

    /// Checks everything that a person or a file may have supplied.
    ///
    /// Creating a ``Container`` doesn't throw. Call this before, where you read the configuration, and show the problem there;
    /// every request of a container with an invalid configuration fails with `.refused(.invalidConfiguration)`, and nothing
    /// is sent or cached. A problem contains no part of the configuration, so it may be logged.
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
            // Without an app nobody signs in there.
            web.carriesSecrets = gitHubApp != nil
            return web
        case .rickAndMorty: return .rickAndMorty(self)
        case .appStore: return .appStore(self)
        }
    }
}
