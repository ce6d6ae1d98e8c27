import BrowseData
import BrowseDomain
import Foundation

/// Sends commands to a driver and decodes their results.
struct Connection: Sendable {
    let port: Int
    private let transport = HTTPClient.makeTransport(connectionsPerHost: 64)

    init(port: Int) { self.port = port }

    func get<Value: Decodable>(_ path: String) async throws(WebDriverError) -> Value {
        try await send(.get, path, nil)
    }

    func post<Value: Decodable>(_ path: String, _ body: JSON = [:]) async throws(WebDriverError) -> Value {
        try await send(.post, path, body)
    }

    func delete<Value: Decodable>(_ path: String) async throws(WebDriverError) -> Value {
        try await send(.delete, path, nil)
    }

    private func send<Value: Decodable>(
        _ method: HTTPMethod,
        _ path: String,
        _ body: JSON?
    ) async throws(WebDriverError) -> Value {
        // Without the session's identifier, which says nothing.
        let command = "\(method.rawValue) /\(path.split(separator: "/").dropFirst(2).joined(separator: "/"))"
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
            throw .unexpectedResponse(command: command, body: "not a URL")
        }
        let request = HTTPClient.Request(
            method: method,
            url: url,
            headers: body == nil ? [:] : ["Content-Type": "application/json; charset=utf-8"],
            body: body.flatMap { try? JSONEncoder().encode($0) },
            endpoint: command,
            limits: HTTPLimits(bodyBytes: 64 << 20, duration: .seconds(300))
        )
        let response: HTTPClient.Response
        do { response = try await transport.send(request) } catch { throw .unreachable(error) }
        if response.status != 200 {
            guard let failure = try? JSONDecoder().decode(Result<Failure>.self, from: response.body).value else {
                throw .unexpectedResponse(command: command, body: String(decoding: response.body, as: UTF8.self))
            }
            throw .rejected(command: command, code: failure.error, message: failure.message)
        }
        do {
            return try JSONDecoder().decode(Result<Value>.self, from: response.body).value
        } catch {
            let body = String(decoding: response.body.prefix(1_000), as: UTF8.self)
            throw .unexpectedResponse(command: command, body: body)
        }
    }

    private struct Result<Value: Decodable>: Decodable { let value: Value }
    private struct Failure: Decodable { let error, message: String }
}
