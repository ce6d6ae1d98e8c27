import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WebSupport

extension Site {
    /// Adds the style sheet and the script, which are read once.
    func addAssets(to router: Router<SiteContext>) throws {
        let types = [
            "app.css": "text/css; charset=utf-8", "app.js": "text/javascript; charset=utf-8",
            "icon.svg": "image/svg+xml",
        ]
        for (name, type) in types {
            let data = try Data(contentsOf: URL(filePath: Bundle.module.bundlePath + "/Assets/" + name))
            let tag = "\"\(Digest.text(of: data))\""
            let headers: HTTPFields = [.cacheControl: "no-cache", .contentType: type]
            let buffer = ByteBuffer(bytes: data)
            router.get("/assets/\(name)") { request, context in
                try await request.ifNoneMatch(headers: headers, eTag: tag, context: context) {
                    Response(status: .ok, body: ResponseBody(byteBuffer: buffer))
                }
            }
        }
    }
}
