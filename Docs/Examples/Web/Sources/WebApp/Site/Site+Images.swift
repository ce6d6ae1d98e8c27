import BrowseKit
import Crypto
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
        do {
            let repository = services.container.imageRepository()
            let load = Task { try await repository.image(for: image) }
            // A browser has six connections, which pictures of a host that hangs would all occupy.
            // The load goes on; the page asks for the picture again.
            let result = await Task { await load.result }
                .value(orAfter: configuration.limits.picture, clock: configuration.clock)
            guard let picture = try result?.get() else {
                return Response(status: .gatewayTimeout, headers: [.retryAfter: "3", .cacheControl: "no-store"])
            }
            // Of the bytes, because an avatar's address stays the same when the picture changes.
            let tag = "\"\(Base64URL.encode(SHA256.hash(data: picture.data)))\""
            let headers: HTTPFields = [.cacheControl: "private, max-age=86400"]
            return try await request.ifNoneMatch(headers: headers, eTag: tag, context: context) {
                Response(
                    status: .ok,
                    headers: [.contentType: picture.format.contentType],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.data))
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
