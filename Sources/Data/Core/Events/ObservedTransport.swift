@_spi(Services) import BrowseDomain
import Foundation

/// The end of every chain: sends requests with the transport, and notifies observers.
///
/// The time of a suspension doesn't count toward a request's deadline. It's measured here, because
/// the time in a slot can include a request for the rate limits.
struct ObservedTransport: Sendable {
    let transport: any HTTPTransport
    /// The lowercase names of the service's fields with credentials.
    var credentialNames: Set<String> = []
    /// The lowercase names of further header fields that events show, and those of query items.
    var shownFields: Set<String> = []
    var shownQueryItems: Set<String> = []
    /// Returns the status that a response means.
    var status: @Sendable (HTTPClient.Response) -> Int = { $0.status }
    /// Measures real time, even if the client's clock is that of a test.
    var system: any Clock<Duration> = ContinuousClock()

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        // Without a cache in the chain, requests that must not be sent arrive here.
        guard request.options.source != .cacheOnly else { throw .unreachable(.notCached, request.info) }
        // A middleware can have replaced the header fields.
        let request = modified(request) { $0.headers.declareCredentials(credentialNames) }
        ExchangeTrace.note(
            .sent(
                HTTPEvent.Request(
                    method: request.method.rawValue,
                    url: ShownText.url(request.url, showing: shownQueryItems),
                    headers: ShownText.headers(request.headers, showing: shownFields),
                    bodyBytes: request.body?.count ?? 0
                )
            )
        )
        let start = request.deadline?.remaining ?? .zero
        let elapsed = system.stopwatch()
        // The process was suspended, or the computer slept: that time doesn't count.
        defer { if elapsed() > request.limits.duration + .seconds(5) { request.deadline?.restore(start) } }
        do throws(BrowseError) {
            var response = try await transport.send(request)
            response.headers.declareCredentials(request.headers.declaredCredentials)
            ExchangeTrace.note(
                .received(
                    HTTPEvent.Response(
                        status: response.status,
                        url: response.url == request.url
                            ? ShownText.url(request.url, showing: shownQueryItems) : ShownText.origin(of: response.url),
                        headers: ShownText.headers(response.headers, showing: shownFields),
                        bodyBytes: response.body.count,
                        wireBytes: response.wireBytes
                    )
                )
            )
            // The body can say it, before any middleware interprets the status.
            response.status = status(response)
            let parts = request.credentialParts
            let isInBody = response.body.withUnsafeBytes { HTTPClient.Response.contains(parts, in: $0) }
            if isInBody || response.headContains(parts, besides: request.url) {
                response.headers["Cache-Control"] = "no-store"
            }
            // Its message would show the credential. JSON without one stays evidence.
            if isInBody, !(200..<300).contains(response.status) {
                let isJSON = response.mediaType.map(HTTPClient.Response.isJSON) == true
                response.body = Data((isJSON ? "null" : "").utf8)
            }
            return response
        } catch {
            ExchangeTrace.note(.failed(error))
            throw error
        }
    }
}

extension HTTPClient.Request {
    /// Parts of the credentials in the header and the query, which a response mustn't repeat.
    ///
    /// Of each, the longest run of letters and digits, because other characters can be escaped.
    /// Shorter ones occur in ordinary words.
    fileprivate var credentialParts: [[UInt8]] {
        // Most services declare none in the query.
        let isInQuery = headers.declaredCredentials.contains { headers.fields[$0] == nil }
        let components = isInQuery ? URLComponents(url: url, resolvingAgainstBaseURL: true) : nil
        let items = components?.queryItems ?? []
        let fields = headers.fields.map { ($0.key, $0.value) } + items.map { ($0.name.lowercased(), $0.value ?? "") }
        return fields.filter { headers.isCredential($0.0) }.flatMap { name, value in
            let words = name == "cookie" ? value.split(separator: ";") : value.split(separator: " ").suffix(1)
            let passwords = words.compactMap { Data(base64Encoded: String($0)) }
                .compactMap { String(decoding: $0, as: UTF8.self).split(separator: ":", maxSplits: 1).last }
            return (words + passwords.map { $0[...] }).compactMap { text in
                let run = text.utf8.split { !$0.isASCIILetterOrDigit }.max { $0.count < $1.count }
                return run.map { Array($0.prefix(64)) }.flatMap { $0.count >= 8 ? $0 : nil }
            }
        }
    }
}

extension HTTPClient.Response {
    /// Whether the header or the URL, unless it's the request's, contains one of some texts.
    fileprivate func headContains(_ parts: [[UInt8]], besides sent: URL) -> Bool {
        guard !parts.isEmpty else { return false }
        let texts = [url == sent ? "" : url.absoluteString] + headers.fields.map { $0.key + $0.value }
        return texts.contains { Array($0.utf8).withUnsafeBytes { Self.contains(parts, in: $0) } }
    }

    fileprivate static func contains(_ parts: [[UInt8]], in bytes: UnsafeRawBufferPointer) -> Bool {
        parts.contains { contains($0, in: bytes) }
    }

    private static func contains(_ part: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
        guard var place = bytes.baseAddress, let first = part.first else { return false }
        let end = place + bytes.count
        while end - place >= part.count, let found = memchr(place, Int32(first), end - place - part.count + 1) {
            if memcmp(found, part, part.count) == 0 { return true }
            place = UnsafeRawPointer(found) + 1
        }
        return false
    }
}
