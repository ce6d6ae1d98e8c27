public import BrowseData
public import Foundation

extension ScriptedServer {
    /// A scripted response to one request.
    ///
    /// Modifiers change when and how it arrives: `.json("[]").delayed(by: .seconds(5))`.
    ///
    /// With status 204 or 304, a body is reported as an issue, and isn't sent. On a loopback port,
    /// a field `Content-Length` replaces the length of the body, such as to test a wrong one.
    public struct Response: Sendable {
        indirect enum Content: Sendable {
            case response(status: Int, headers: HTTPHeaders, body: Data)
            case missing(Fixtures.Missing, SourcePosition)
            case failure(URLError.Code)
            case delayed(Response, by: Duration)
            case held(Response)
            case computed(@Sendable (HTTPClient.Request) async -> Response)
        }

        let content: Content
        var transfer = Transfer()
        /// Whether a proxy responds in the service's place.
        var isOfProxy = false
        /// Whether the test means that the body, or a row, can't be decoded.
        var isUndecodable = false

        /// JSON text, sent as is; it doesn't have to be valid.
        ///
        /// - Parameters:
        ///   - text: The body.
        ///   - status: The status code.
        ///   - headers: Fields in addition to `Content-Type`, which they can replace.
        public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Response {
            Response(content: .response(status: status, headers: .json(and: headers), body: Data(text.utf8)))
        }

        /// The JSON of a fixture.
        ///
        /// Without a fixture of that name, the request fails, and it's reported by
        /// ``ScriptedServer/verify()``, or as an issue of a test with the trait `.verifiesMocks`.
        ///
        /// - Parameters:
        ///   - name: The name of the file without `.json`.
        ///   - fixtures: The fixtures, such as those of a service.
        ///   - status: The status code.
        ///   - headers: Fields in addition to `Content-Type`, which they can replace.
        ///   - fileID: The file to name in issues.
        ///   - filePath: The path of that file.
        ///   - line: The line to name in issues.
        ///   - column: The column to name in issues.
        public static func fixture(
            _ name: String,
            in fixtures: Fixtures,
            status: Int = 200,
            headers: HTTPHeaders = [:],
            fileID: String = #fileID,
            filePath: String = #filePath,
            line: Int = #line,
            column: Int = #column
        ) -> Response {
            do throws(Fixtures.Missing) {
                return .body(try fixtures[name], status: status, headers: .json(and: headers))
            } catch {
                let position = SourcePosition(fileID: fileID, filePath: filePath, line: line, column: column)
                return Response(content: .missing(error, position))
            }
        }

        /// A status without a body.
        public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Response {
            Response(content: .response(status: status, headers: headers, body: Data()))
        }

        /// Any bytes, without a content type unless `headers` has one.
        public static func body(_ body: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> Response {
            Response(content: .response(status: status, headers: headers, body: body))
        }

        /// A redirect, which the server's transports follow.
        ///
        /// - Parameters:
        ///   - location: A URL, or a path on the same host.
        ///   - status: 301, 302, 303, 307, or 308.
        public static func redirect(to location: String, status: Int = 302) -> Response {
            .status(status, headers: ["Location": location])
        }

        /// A failed connection instead of a response.
        public static func failure(_ code: URLError.Code) -> Response {
            Response(content: .failure(code))
        }

        /// A response computed from the request.
        ///
        /// The closure can suspend. Its task is canceled if the client abandons the request; over
        /// ``ScriptedServer/listen()``, only when the listener stops.
        public static func computed(_ response: @escaping @Sendable (HTTPClient.Request) async -> Response) -> Response
        {
            Response(content: .computed(response))
        }

        /// Delays the response by a duration of the server's clock.
        public func delayed(by delay: Duration) -> Response {
            Response(content: .delayed(self, by: delay))
        }

        /// Holds the response until the test calls ``ScriptedServer/release()``.
        ///
        /// The request can time out before, by the clock that measures its limit. A ``TestClock``
        /// must advance for that: ``TestClock/run(_:)`` doesn't count a held response as a sleep,
        /// as it does a ``delayed(by:)`` of the server's clock.
        public func held() -> Response {
            Response(content: .held(self))
        }

        /// Ends the connection after part of the body, which fails the request.
        ///
        /// - Parameter bytes: The number of bytes to send; a body that isn't longer arrives
        ///   complete.
        public func truncated(after bytes: Int) -> Response {
            changingTransfer { $0.truncation = max(0, bytes) }
        }

        /// Limits the bandwidth, measured by the server's clock.
        ///
        /// - Parameter bytesPerSecond: The rate; clamped to at least 1.
        public func throttled(bytesPerSecond: Int) -> Response {
            changingTransfer { $0.bytesPerSecond = max(1, bytesPerSecond) }
        }

        /// Sends the body in chunks, without its length; applies only on a loopback port.
        ///
        /// - Parameter size: The size of a chunk in bytes; clamped to at least 1.
        public func chunked(size: Int) -> Response {
            changingTransfer { $0.chunkSize = max(1, size) }
        }

        /// Marks the response of a proxy, gateway, or captive portal, which has no evidence of the
        /// service.
        ///
        /// Without it, an error that lacks the evidence is an issue of a test with the trait
        /// `.verifiesMocks`, and reported on standard error otherwise.
        public func ofProxy() -> Response {
            var response = self
            response.isOfProxy = true
            return response
        }

        /// Marks a success that the test means to be undecodable, or of which some rows are.
        ///
        /// Without it, such a body is an issue of a test with the trait `.verifiesMocks`.
        public func undecodable() -> Response {
            var response = self
            response.isUndecodable = true
            return response
        }

        private func changingTransfer(_ change: (inout Transfer) -> Void) -> Response {
            var response = self
            change(&response.transfer)
            return response
        }
    }

    /// The settings for the transfer of a body.
    struct Transfer: Sendable {
        var truncation: Int?
        var bytesPerSecond: Int?
        var chunkSize: Int?

        /// Returns these settings; unset ones are taken from the contained response.
        func merging(_ inner: Transfer) -> Transfer {
            Transfer(
                truncation: truncation ?? inner.truncation,
                bytesPerSecond: bytesPerSecond ?? inner.bytesPerSecond,
                chunkSize: chunkSize ?? inner.chunkSize
            )
        }
    }
}

extension HTTPHeaders {
    /// Returns the content type of JSON and other fields, which can replace it.
    static func json(and others: HTTPHeaders) -> HTTPHeaders {
        var headers: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]
        headers.merge(others)
        return headers
    }
}
