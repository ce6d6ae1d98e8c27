import BrowseDomain

/// The last of every chain: hands requests to the transport, and tells observers what goes over the wire.
///
/// Secrets are learned before the event that could show them is made, and masked in it.
struct ObservedTransport: Sendable {
    let transport: any HTTPTransport
    let redactor: SecretRedactor
    /// Reads the secrets that a response issues.
    var issuedSecrets: @Sendable (HTTPResponse) -> [Secret] = { _ in [] }

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        // Where nothing is kept, nobody before has answered what was to be answered without a network.
        guard request.options.source != .cacheOnly else { throw .unreachable(.notCached, request.info) }
        redactor.add(credentialsOf: request)
        ExchangeTrace.note(.sent(HTTPEvent.Request(request, redactor)))
        do throws(BrowseError) {
            let response = try await transport.send(request)
            for secret in issuedSecrets(response) { redactor.add(secret) }
            ExchangeTrace.note(.received(HTTPEvent.Response(response, redactor)))
            return response
        } catch {
            ExchangeTrace.note(.failed(redactor.error(error)))
            throw error
        }
    }
}
