@_spi(Services) import BrowseDomain
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The end of every chain: sends requests with the transport, and notifies observers.
struct ObservedTransport: Sendable {
    let transport: any HTTPTransport
    /// The lowercase names of the service's fields with credentials.
    var credentialNames: Set<String> = []
    /// The lowercase names of further header fields that events show, and those of query items.
    var shownFields: Set<String> = []
    var shownQueryItems: Set<String> = []

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        // Without a cache in the chain, requests that must not be sent arrive here.
        guard request.options.source != .cacheOnly else { throw .unreachable(.notCached, request.info) }
        // A middleware can have replaced the header fields.
        let request = request.declaringCredentials(credentialNames)
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
        do throws(BrowseError) {
            var response = try await transport.send(request)
            let names = request.headers.declaredCredentials
            if !names.isEmpty { response.headers.declareCredentials(names) }
            ExchangeTrace.note(
                .received(
                    HTTPEvent.Response(
                        status: response.status,
                        url: response.url == request.url
                            ? ShownText.url(request.url, showing: shownQueryItems) : ShownText.origin(of: response.url),
                        headers: ShownText.headers(response.headers, showing: shownFields),
                        bodyBytes: response.body.count,
                        wireBytes: response.wireBytes,
                        version: response.version
                    )
                )
            )
            if response.contains(request.credentialParts) {
                response.headers["Cache-Control"] = "no-store"
                // Its message would show the credential.
                if !(200..<300).contains(response.status) { response.body = Data() }
            }
            return response
        } catch {
            ExchangeTrace.note(.failed(error))
            throw error
        }
    }
}

extension HTTPClient.Request {
    /// Parts of the credentials in the header, which a response mustn't repeat.
    ///
    /// Of each, the longest run of letters and digits, because other characters can be escaped. Shorter ones occur in ordinary words.
    fileprivate var credentialParts: [[UInt8]] {
        var parts: [[UInt8]] = []
        for (name, value) in headers.fields where headers.isCredential(name) {
            let words = name == "cookie" ? value.split(separator: ";") : value.split(separator: " ").suffix(1)
            for word in words {
                if let part = Self.longestRun(in: word.utf8) { parts.append(part) }
                // Of a name and a password, the password.
                let password = Data(base64Encoded: String(word))?.split(separator: UInt8(ascii: ":"), maxSplits: 1).last
                if let part = password.flatMap({ Self.longestRun(in: $0) }) { parts.append(part) }
            }
        }
        return parts
    }

    private static func longestRun(in text: some Collection<UInt8>) -> [UInt8]? {
        let run = text.split { !$0.isASCIILetterOrDigit }.max { $0.count < $1.count }
        guard let run, run.count >= 8 else { return nil }
        return Array(run.prefix(64))
    }
}

extension HTTPClient.Response {
    /// Whether the response contains one of some texts.
    fileprivate func contains(_ parts: [[UInt8]]) -> Bool {
        guard !parts.isEmpty else { return false }
        let texts = [url.absoluteString] + headers.fields.map { $0.key + $0.value }
        return parts.contains { part in
            body.withUnsafeBytes { Self.contains(part, in: $0) }
                || texts.contains { Array($0.utf8).withUnsafeBytes { Self.contains(part, in: $0) } }
        }
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
