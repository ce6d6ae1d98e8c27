public import BrowseData
import BrowseDomain
public import Foundation

extension Configuration {
    /// The reason why a configuration can't be used.
    public enum Problem: Error, Hashable, Sendable {
        /// The user agent is empty, or contains a line break or another control character.
        case userAgent
        /// A service's base URL is invalid, or would send secrets over http.
        case baseURL(service: String, HTTPClient.Service.Problem)
        /// Another setting of a service is invalid; the reason is a sentence without the setting's value.
        case setting(service: String, reason: String)
        /// The storage folder or the cache folder isn't a file URL.
        case folder
    }

    /// Validates all values that a user or a file may have supplied.
    ///
    /// Creating a ``Container`` doesn't validate. Requests to a service with an invalid base URL fail with
    /// `.refused(.invalidConfiguration)`. A ``Problem`` contains no values of the configuration, so it can be logged.
    ///
    /// - Throws: The first ``Problem``: of the user agent, of the settings of services in the order of their names, of the
    ///   folders.
    public func validate() throws(Problem) {
        let isName = userAgent.utf8.contains { $0 > 0x20 } && userAgent.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard isName else { throw .userAgent }
        for settings in serviceSettings {
            try settings.service(in: self).validate(as: type(of: settings).name)
            try settings.validate(in: self)
        }
        guard [storageFolder, cacheFolder].allSatisfy({ $0?.isFileURL != false }) else { throw .folder }
    }
}

extension HTTPClient.Service {
    /// Validates a service of settings, such as a second one in ``ServiceSettings/validate(in:)``.
    ///
    /// - Throws: The problem, with the name.
    public func validate(as name: String) throws(Configuration.Problem) {
        do throws(Problem) {
            try validate()
        } catch {
            throw .baseURL(service: name, error)
        }
    }
}

extension Configuration.Problem: LocalizedError {
    /// A sentence for developers, in English, without values of the configuration.
    public var errorDescription: String? {
        switch self {
        case .userAgent: "The user agent is empty, or contains a line break or another control character."
        case .baseURL(let service, let problem): "\(service): \(problem.errorDescription ?? "")"
        case .setting(let service, let reason): "\(service): \(reason)"
        case .folder: "The storage folder or the cache folder isn't a file URL."
        }
    }
}
