import NIOCore
import NIOHTTP1

/// Responds to the requests of one connection.
final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// One ETag for all pages, which never change.
    private static let etag = "W/\"6b7b5d1f0c0e4c3a9f8e7d6c5b4a39281706f5e4d3c2b1a0\""

    private let bodies: [ByteBuffer]
    private let origin: String

    init(bodies: [ByteBuffer], origin: String) {
        self.bodies = bodies
        self.origin = origin
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data) else { return }
        guard let route = Route(request.uri) else { return refuse(context) }
        let isKnown = request.headers["If-None-Match"].contains(Self.etag)
        guard route.delay > 0 else { return response(to: route, isKnown: isKnown, context) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(Int64(route.delay))) {
            let (handler, context) = bound.value
            handler.response(to: route, isKnown: isKnown, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func response(to route: Route, isKnown: Bool, _ context: ChannelHandlerContext) {
        let body = bodies[route.page - 1]
        var headers = headers(of: route, body: body)
        if isKnown {
            // Like GitHub's, 304 responses have neither length nor links.
            headers.remove(name: "Content-Length")
            headers.remove(name: "Link")
        }
        let status: HTTPResponseStatus = isKnown ? .notModified : .ok
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !isKnown { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: ["Content-Length": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// The fields that api.github.com sends, 26 with a `Link`.
    private func headers(of route: Route, body: ByteBuffer) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "Date": "Sat, 21 Nov 2026 10:00:00 GMT",
            "Content-Type": "application/json; charset=utf-8",
            "Content-Length": String(body.readableBytes),
            "Cache-Control": "private, max-age=60, s-maxage=60",
            "Vary": "Accept, Authorization, Cookie, X-GitHub-OTP,Accept-Encoding, Accept, X-Requested-With",
            "ETag": Self.etag,
            "X-OAuth-Scopes": "public_repo, read:user",
            "X-Accepted-OAuth-Scopes": "",
            "X-OAuth-Client-Id": "Iv1.0123456789abcdef",
            "X-GitHub-Media-Type": "github.v3; format=json",
            "x-github-api-version-selected": "2022-11-28",
            "X-RateLimit-Limit": "5000",
            "X-RateLimit-Remaining": "4987",
            "X-RateLimit-Reset": "1795258800",
            "X-RateLimit-Used": "13",
            "X-RateLimit-Resource": "core",
            "Access-Control-Expose-Headers": """
            ETag, Link, Location, Retry-After, X-GitHub-OTP, X-RateLimit-Limit, X-RateLimit-Remaining, \
            X-RateLimit-Used, X-RateLimit-Resource, X-RateLimit-Reset, X-OAuth-Scopes, X-Accepted-OAuth-Scopes
            """,
            "Access-Control-Allow-Origin": "*",
            "Strict-Transport-Security": "max-age=31536000; includeSubdomains; preload",
            "X-Frame-Options": "deny",
            "X-Content-Type-Options": "nosniff",
            "X-XSS-Protection": "0",
            "Referrer-Policy": "origin-when-cross-origin, strict-origin-when-cross-origin",
            "Content-Security-Policy": "default-src 'none'",
            "X-GitHub-Request-Id": "9C1F:2B8A4:1A2B3C4:5D6E7F8:67F0A1B2",
        ]
        headers.add(name: "Link", value: link(of: route))
        return headers
    }

    private func link(of route: Route) -> String {
        var relations: [(String, Int)] = []
        if route.page > 1 { relations.append(("prev", route.page - 1)) }
        if route.page < Followers.pageCount {
            relations += [("next", route.page + 1), ("last", Followers.pageCount)]
        }
        if route.page > 1 { relations.append(("first", 1)) }
        let path = "\(origin)\(route.base)/user/\(Followers.owner)/followers?per_page=\(Followers.rowsPerPage)"
        return relations.map { "<\(path)&page=\($1)>; rel=\"\($0)\"" }.joined(separator: ", ")
    }
}
