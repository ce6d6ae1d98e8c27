import BrowseKit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Site {
    /// Returns the site's address for an image; `nil` for hosts whose images it doesn't serve.
    func address(of request: ImageRequest) -> String? {
        images.token(for: request).map { "/images/" + $0 }
    }

    /// Serves an image whose address this site has issued.
    func image(_ request: Request, _ context: SiteContext) async throws -> Response {
        let signed = context.parameters.get("signed") ?? ""
        guard let image = images.image(of: signed) else { throw HTTPError(.forbidden) }
        // The address never changes its meaning, so the request that has the bytes needs no load.
        let tag = "\"\(signed.suffix(43))\""
        let headers: HTTPFields = [.cacheControl: "private, max-age=86400"]
        do {
            return try await request.ifNoneMatch(headers: headers, eTag: tag, context: context) {
                let repository = services.container.imageRepository()
                let load = Task { try await repository.image(for: image) }
                // A browser has six connections, which pictures of a host that hangs would all occupy.
                // The load goes on; the page asks for the picture again.
                let result = await Task { await load.result }
                    .value(orAfter: configuration.limits.picture, clock: configuration.clock)
                guard let image = try result?.get() else {
                    return Response(status: .gatewayTimeout, headers: [.retryAfter: "3", .cacheControl: "no-store"])
                }
                return Response(
                    status: .ok,
                    headers: [.contentType: image.format.contentType],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: image.data))
                )
            }
        } catch is BrowseError {
            // Instead of the browser's broken picture; not cached, so the next page tries again.
            return .redirect(to: "/assets/placeholder.svg", type: .normal)
        }
    }
}

extension ImageFormat {
    /// The media type, such as `image/webp`.
    fileprivate var contentType: String { self == .ico ? "image/x-icon" : "image/\(self)".lowercased() }
}
