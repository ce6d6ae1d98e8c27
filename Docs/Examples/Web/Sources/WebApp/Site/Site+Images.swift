import BrowseKit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WebSupport

/// The hosts whose images this site serves.
enum ImageHosts {
    /// A host, or the end of one after a period.
    private static let all = [
        "githubusercontent.com", "rickandmortyapi.com", "mzstatic.com",
        // The fixtures.
        "images.example",
    ]

    /// Whether this site serves images at an address.
    static func contain(_ address: WebAddress) -> Bool {
        guard let url = address.url, url.scheme?.lowercased() == "https", url.port == nil, url.user() == nil,
            let host = url.host()?.lowercased()
        else { return false }
        return all.contains { host == $0 || host.hasSuffix("." + $0) }
    }
}

extension Site {
    private static let purpose = "image"

    /// Returns the site's address for an image; `nil` for hosts whose images it doesn't serve.
    func signedAddress(of request: ImageRequest) -> String? {
        guard ImageHosts.contain(request.address) else { return nil }
        let text = "\(request.side ?? 0) \(request.address.rawValue)"
        return "/images/" + configuration.signer.sign(text, for: Self.purpose)
    }

    /// Serves an image whose address this site has issued.
    func image(_ request: Request, _ context: SiteContext) async throws -> Response {
        let signed = context.parameters.get("signed") ?? ""
        let parts = configuration.signer.open(signed, for: Self.purpose)?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, let side = Int(parts[0]) else { throw HTTPError(.forbidden) }
        let address = WebAddress(rawValue: String(parts[1]))
        guard ImageHosts.contain(address) else { throw HTTPError(.forbidden) }
        // The address never changes its meaning, so the request that has the bytes needs no load.
        let tag = "\"\(signed.suffix(43))\""
        let headers: HTTPFields = [.cacheControl: "private, max-age=86400"]
        return try await request.ifNoneMatch(headers: headers, eTag: tag, context: context) {
            let image = try await load(ImageRequest(address, side: side == 0 ? nil : side))
            return Response(
                status: .ok,
                headers: [.contentType: image.format.contentType],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: image.data))
            )
        }
    }

    private func load(_ request: ImageRequest) async throws -> EncodedImage {
        do throws(BrowseError) {
            return try await services.container.imageRepository().image(for: request)
        } catch .notFound {
            throw HTTPError(.notFound)
        } catch {
            throw HTTPError(.badGateway)
        }
    }
}

extension ImageFormat {
    /// The media type.
    fileprivate var contentType: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .gif: "image/gif"
        case .webP: "image/webp"
        case .heic: "image/heic"
        }
    }
}
