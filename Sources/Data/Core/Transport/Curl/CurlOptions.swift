#if canImport(Glibc) && canImport(CBrowseCurl)
import CBrowseCurl
import Foundation

/// A transport's settings.
struct CurlOptions: Sendable {
    /// The maximum number of requests to one origin in flight at once.
    var connectionsPerHost: Int
    /// The time that a loop without requests keeps its connections open.
    var idleDuration: Duration
    /// A file of certificates to trust in place of the system's.
    var certificateAuthorities: URL?

    /// The environment's file of certificates; only the `curl` command reads it by itself.
    static var environmentAuthorities: URL? {
        let names = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"]
        let files = names.compactMap { ProcessInfo.processInfo.environment[$0] }
        return files.first { !$0.isEmpty }.map { URL(filePath: $0) }
    }
}

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
        guard let body = request.sentBody else {
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
        // Over TLS, requests wait to share an HTTP/2 connection. Without TLS, that wait would only
        // delay them.
        _ = browse_curl_set_long(
            easy,
            CURLOPT_HTTP_VERSION,
            isSecure ? browse_curl_http_2_over_tls : browse_curl_http_1_1
        )
        _ = browse_curl_set_long(easy, CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        // Paths are sent unchanged; those that would leave an API's path were refused before.
        _ = browse_curl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        // libcurl tries each but the last of a host's addresses for half of the time that is left.
        // The limit itself is measured by the loop: reaching libcurl's during a lookup would block
        // it.
        let limit = min(hop.request.limits.duration / .seconds(1), 1_000_000).clampedToInt
        _ = browse_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT, limit + 2)
        // In seconds. From 8.16 on, libcurl remembers for half of it that a name wasn't found, even
        // if the network was down. By default, Try Again would fail for half a minute.
        _ = browse_curl_set_long(easy, CURLOPT_DNS_CACHE_TIMEOUT, 2)
        if let share = environment.share { _ = browse_curl_set_share(easy, share) }

        var codes = [
            browse_curl_on_close(easy, Unmanaged.passUnretained(environment).toOpaque(), CurlEnvironment.onClose),
            // When a reused connection closes before a response begins, libcurl repeats the
            // request, whatever its method.
            browse_curl_set_long(easy, CURLOPT_FRESH_CONNECT, hop.isRepeated || !hop.request.isSafeToRepeat ? 1 : 0),
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
