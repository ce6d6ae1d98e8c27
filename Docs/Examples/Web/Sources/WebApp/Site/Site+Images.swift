import BrowseKit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WebSupport

extension Site {
    /// Returns the site's address for an image; `nil` for hosts whose images it doesn't serve.
    func address(of request: ImageRequest) -> String? {
        images.token(for: request.address.rawValue, side: request.side).map { "/images/" + $0 }
    }

    /// Serves an image whose address this site has issued.
    func image(_ request: Request, _ context: SiteContext) async throws -> Response {
        let signed = context.parameters.get("signed") ?? ""
        guard let image = images.image(of: signed) else { throw HTTPError(.forbidden) }
        // The address never changes its meaning, so the request that has the bytes needs no load.
        let tag = "\"\(signed.suffix(43))\""
        let headers: HTTPFields = [.cacheControl: "private, max-age=86400"]
        return try await request.ifNoneMatch(headers: headers, eTag: tag, context: context) {
            guard let image = try await load(ImageRequest(WebAddress(rawValue: image.address), side: image.side)) else {
                return Self.placeholder
            }
            return Response(
                status: .ok,
                headers: [.contentType: image.format.contentType],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: image.data))
            )
        }
    }

    /// Returns an image; `nil` if it can't be loaded.
    private func load(_ request: ImageRequest) async throws -> EncodedImage? {
        try? await services.container.imageRepository().image(for: request)
    }

    /// A picture in place of one that can't be loaded, instead of the browser's broken one.
    private static let placeholder = Response(
        status: .ok,
        headers: [.contentType: "image/svg+xml", .cacheControl: "private, max-age=60"],
        body: ResponseBody(
            byteBuffer: ByteBuffer(
                string: """
                    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" fill="#8a94a3"/>\
                    <circle cx="12" cy="9.5" r="4" fill="#fff"/><path d="M4 24a8 8 0 0 1 16 0z" fill="#fff"/></svg>
                    """
            )
        )
    )
}

extension ImageFormat {
    /// The media type, such as `image/webp`.
    fileprivate var contentType: String { self == .ico ? "image/x-icon" : "image/\(self)".lowercased() }
}
