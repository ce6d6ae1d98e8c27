import BrowseDomain

/// The end of every chain: sends requests with the transport, and notifies observers.
///
/// Secrets in a message are added to the redactor before the event is created.
struct ObservedTransport: Sendable {
    let transport: any HTTPTransport
    let redactor: SecretRedactor
    /// The lowercase names of the service's fields with credentials.
    var credentialNames: Set<String> = []
    /// Returns the secrets in a response.
    var issuedSecrets: @Sendable (HTTPResponse) -> [Secret] = { _ in [] }

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        // Without a cache in the chain, requests that must not be sent arrive here.
        guard request.options.source != .cacheOnly else { throw .unreachable(.notCached, request.info) }
        // A middleware can have replaced the header fields.
        let request = request.declaringCredentials(credentialNames)
        redactor.add(credentialsOf: request)
        ExchangeTrace.note(.sent(HTTPEvent.Request(request, redactor)))
        do throws(BrowseError) {
            var response = try await transport.send(request)
            let names = request.headers.declaredCredentials
            if !names.isEmpty { response.headers.declareCredentials(names) }
            for secret in issuedSecrets(response) { redactor.add(secret) }
            ExchangeTrace.note(.received(HTTPEvent.Response(response, redactor)))
            return response
        } catch {
            ExchangeTrace.note(.failed(redactor.error(error)))
            throw error
        }
    }
}
