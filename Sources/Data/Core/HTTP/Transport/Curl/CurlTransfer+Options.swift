#if canImport(Glibc) && canImport(CBrowseCurl)
import CBrowseCurl
import Foundation

extension CurlTransfer {
    /// Fields for framing and connection management, which libcurl sends itself.
    private static let reservedFields: Set<String> = [
        "connection", "content-length", "expect", "host", "transfer-encoding",
    ]

    /// Returns the header fields to send as a libcurl list, which the caller frees.
    static func fields(of request: HTTPClient.Request) -> UnsafeMutablePointer<curl_slist>? {
        // Without a value, these fields prevent libcurl's defaults.
        var list = curl_slist_append(nil, "Expect:")
        if request.headers["Content-Type"] == nil { list = curl_slist_append(list, "Content-Type:") }
        // Not libcurl's option, with which it would decompress, and not report a truncated body.
        if request.headers["Accept-Encoding"] == nil { list = curl_slist_append(list, "Accept-Encoding: gzip") }
        for (name, value) in request.headers.fields where !reservedFields.contains(name) {
            list = curl_slist_append(list, value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        return list
    }

    /// Sets all options except the callbacks; returns whether libcurl supports the required ones.
    static func configure(
        _ easy: UnsafeMutableRawPointer,
        for hop: CurlHop,
        fields: UnsafeMutablePointer<curl_slist>?,
        in environment: CurlEnvironment
    ) -> Bool {
        let request = hop.request
        var codes = [
            browse_curl_set_text(easy, CURLOPT_URL, request.url.absoluteString),
            browse_curl_set_long(easy, browse_curl_protocols_option, browse_curl_http_protocols),
            browse_curl_set_long(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
            browse_curl_set_long(easy, CURLOPT_NOSIGNAL, 1),
            browse_curl_set_fields(easy, fields),
            // The transport follows redirects.
            browse_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0),
            browse_curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
        ]
        codes += setMethod(easy, of: request)
        codes += setConnection(easy, for: hop, in: environment)
        return codes.allSatisfy { $0 == CURLE_OK }
    }

    private static func setMethod(_ easy: UnsafeMutableRawPointer, of request: HTTPClient.Request) -> [CURLcode] {
        // POST, PUT, and PATCH always send a `Content-Length`, since servers expect a body (RFC 9110, section 8.6).
        guard let body = request.body ?? ([.post, .put, .patch].contains(request.method) ? Data() : nil) else {
            return request.method == .get
                ? [] : [browse_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)]
        }
        let size = browse_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        let copy = body.withUnsafeBytes { bytes in
            bytes.baseAddress.map { browse_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0) }
                ?? browse_curl_set_text(easy, CURLOPT_COPYPOSTFIELDS, "")
        }
        return [size, copy, browse_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)]
    }

    private static func setConnection(
        _ easy: UnsafeMutableRawPointer,
        for hop: CurlHop,
        in environment: CurlEnvironment
    ) -> [CURLcode] {
        let isSecure = hop.origin.scheme == "https"
        // Over TLS, requests wait to share an HTTP/2 connection. Without TLS, that wait would only delay them.
        _ = browse_curl_set_long(
            easy,
            CURLOPT_HTTP_VERSION,
            isSecure ? browse_curl_http_2_over_tls : browse_curl_http_1_1
        )
        _ = browse_curl_set_long(easy, CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        // Paths are sent unchanged; those that would leave an API's path were refused before.
        _ = browse_curl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        // The loop measures time limits. Reaching libcurl's limit of five minutes during a lookup would block it.
        _ = browse_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT, 1_000_000)
        if let share = environment.share { _ = browse_curl_set_share(easy, share) }

        var codes = [
            browse_curl_on_close(easy, CurlEnvironment.onClose, Unmanaged.passUnretained(environment).toOpaque()),
            browse_curl_set_long(easy, CURLOPT_FRESH_CONNECT, hop.needsNewConnection ? 1 : 0),
        ]
        if isSecure { codes.append(browse_curl_set_long(easy, CURLOPT_SSLVERSION, browse_curl_tls_1_2)) }
        // Proxies come from the environment, but a proxy can't reach this device.
        if hop.origin.isLoopback { codes.append(browse_curl_set_text(easy, CURLOPT_PROXY, "")) }
        if let file = environment.options.certificateAuthorities {
            codes.append(browse_curl_set_text(easy, CURLOPT_CAINFO, file.path(percentEncoded: false)))
        }
        return codes
    }
}
#endif
