import BrowseDomain
import Foundation

/// The end of every chain: sends requests with the transport, and notifies observers.
struct ObservedTransport: Sendable {
    let transport: any HTTPTransport
    /// The lowercase names of the service's fields with credentials.
    var credentialNames: Set<String> = []
    /// The lowercase names of the service's header fields, and the names of its query items, that events show.
    var shownFields: Set<String> = []
    var shownQueryItems: Set<String> = []

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
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
            if response.repeatsCredentials(of: request) { response.headers["Cache-Control"] = "no-store" }
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
            return response
        } catch {
            ExchangeTrace.note(.failed(error))
            throw error
        }
    }
}

extension HTTPResponse {
    /// Whether the response contains a credential of its request, so that it must not be stored.
    fileprivate func repeatsCredentials(of request: HTTPRequest) -> Bool {
        request.headers.fields.contains { name, value in
            // A shorter one isn't a secret of a real server, and occurs in ordinary words.
            guard request.headers.isCredential(name), let secret = value.split(separator: " ").last,
                secret.utf8.count >= 8
            else { return false }
            return body.range(of: Data(secret.utf8)) != nil || url.absoluteString.contains(secret)
                || headers.fields.values.contains { $0.contains(secret) }
        }
    }
}
