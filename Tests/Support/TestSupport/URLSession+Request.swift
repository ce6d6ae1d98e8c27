public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Returns a request with the fields of the session.
    ///
    /// On Linux, a `URLProtocol` doesn't receive them from the session.
    public func request(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        for case let (name as String, value) in configuration.httpAdditionalHeaders ?? [:] {
            request.setValue("\(value)", forHTTPHeaderField: name)
        }
        return request
    }
}
