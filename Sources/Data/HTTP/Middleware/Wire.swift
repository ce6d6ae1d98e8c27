import BrowseDomain

/// The last of every chain: hands requests to the transport, and tells observers what goes over the wire.
struct Wire: Sendable {
    let transport: any HTTPTransport

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        // Where nothing is kept, nobody before has answered what was to be answered without a network.
        guard request.options.source != .kept else { throw .unreachable(.notKept, request.info) }
        ExchangeTrace.note(.sent(HTTPEvent.Request(request)))
        do throws(BrowseError) {
            let response = try await transport.send(request)
            ExchangeTrace.note(.received(HTTPEvent.Response(response)))
            return response
        } catch {
            ExchangeTrace.note(.failed(error))
            throw error
        }
    }
}
