public import BrowseData
import Foundation

extension HTTPClient.Response {
    /// Returns JSON of an offline service, with its content type.
    ///
    /// That is the evidence by which a client tells an error of most services from a proxy's.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - status: The status code.
    ///   - headers: Fields in addition to `Content-Type`, which they can replace.
    ///   - request: The request, whose URL responds.
    public static func json(
        _ text: String,
        status: Int = 200,
        headers: HTTPHeaders = [:],
        to request: HTTPClient.Request
    ) -> HTTPClient.Response {
        HTTPClient.Response(status: status, headers: .json(and: headers), body: Data(text.utf8), url: request.url)
    }
}
