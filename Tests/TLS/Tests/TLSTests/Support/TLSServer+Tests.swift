import BrowseDomain
import Foundation
import ScriptedTLSServer
import Synchronization
import Testing

@testable import BrowseData

extension TLSServer {
    /// Starts a server with one of the certificates of this run.
    convenience init(
        _ version: Version,
        certificate: String = "server",
        options change: (inout Options) -> Void = { _ in },
        respond: @escaping @Sendable (Request) -> TLSResponse
    ) async throws {
        var options = Options(version)
        change(&options)
        try await self.init(
            certificate: TestedTransport.path("\(certificate).pem"),
            key: TestedTransport.path("\(certificate).key"),
            options: options,
            respond: respond
        )
    }

    /// Starts a server that sends each response once, in order, and valid ones afterward.
    convenience init(
        _ version: Version,
        options change: (inout Options) -> Void = { _ in },
        first responses: TLSResponse...
    ) async throws {
        let count = Mutex(0)
        try await self.init(version, options: change) { _ in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return index < responses.count ? responses[index] : .good
        }
    }

    /// Creates a request to this server.
    func request(
        _ method: HTTPMethod = .get,
        _ path: String = "/",
        headers: HTTPHeaders = [:],
        body: [UInt8]? = nil,
        bodyLimit: Int = 64 << 20,
        duration: Duration = .seconds(300),
        isSafeToRepeat: Bool? = nil
    ) throws -> HTTPClient.Request {
        HTTPClient.Request(
            method: method,
            url: try #require(URL(string: "https://127.0.0.1:\(port)\(path)")),
            headers: headers,
            body: body.map { Data($0) },
            endpoint: "test",
            limits: HTTPLimits(bodyBytes: bodyLimit, duration: duration),
            isSafeToRepeat: isSafeToRepeat
        )
    }
}

extension TLSResponse {
    /// A small JSON body.
    static let answer = Array(#"{"answer":42}"#.utf8)
    /// A complete response with that body.
    static let good = TLSResponse(headers: [("content-type", "application/json")], body: answer)
}

extension BrowseError.RequestInfo {
    /// The request info in errors of these tests.
    static let test = BrowseError.RequestInfo(endpoint: "test")
}

/// Sends a request and returns its error, or `nil`.
func failure(_ transport: any HTTPTransport, _ request: HTTPClient.Request) async -> BrowseError? {
    do throws(BrowseError) {
        _ = try await transport.send(request)
        return nil
    } catch {
        return error
    }
}

/// Expects that the transport still works.
func expectNextRequestWorks(_ transport: any HTTPTransport, _ server: TLSServer) async throws {
    let response = try await transport.send(server.request(.get, "/next"))
    #expect(response.status == 200)
    #expect(Array(response.body) == TLSResponse.answer)
}
