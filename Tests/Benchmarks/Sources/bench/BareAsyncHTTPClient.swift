import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

extension BareClient {
    /// Creates a client that sends requests with AsyncHTTPClient, with up to eight connections.
    static func asyncHTTPClient(baseURL: URL) -> BareClient {
        BareClient(baseURL: baseURL) { url in
            var request = HTTPClientRequest(url: url.absoluteString)
            for (name, value) in fields { request.headers.add(name: name, value: value) }
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
            let body = try await response.body.collect(upTo: 1 << 20)
            return Exchange(
                status: Int(response.status.code),
                body: Data(buffer: body),
                link: response.headers.first(name: "Link")
            )
        }
    }
}
