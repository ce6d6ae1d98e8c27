package import BrowseData
package import Foundation

extension HTTPClient.Response {
    /// Returns the response with an `ETag`, or a 304 without a body if the request has the same
    /// tag.
    ///
    /// The tag depends only on the body and the `Link` header, so it's the same in every process.
    /// See RFC 9110, sections 13.1.2 and 15.4.5.
    package func conditional(for request: HTTPClient.Request) -> HTTPClient.Response {
        guard request.method == .get, status == 200 else { return self }
        var response = self
        let tag = "W/\"\(String((body + Data((headers["Link"] ?? "").utf8)).digest, radix: 16))\""
        response.headers["ETag"] = tag
        guard Self.tags(in: request.headers["If-None-Match"]).contains(Self.opaque(tag)) else { return response }
        response.status = 304
        response.body = Data()
        for name in ["Content-Type", "Link"] { response.headers[name] = nil }
        return response
    }

    private static func tags(in header: String?) -> [String] {
        (header ?? "").split(separator: ",").map { opaque($0.trimmingCharacters(in: .whitespaces)) }
    }

    /// Returns a tag without its weakness indicator, `W/`.
    private static func opaque(_ tag: String) -> String {
        tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }
}

extension Data {
    /// The FNV-1a hash with 64 bits.
    package var digest: UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in self { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return sum
    }
}
