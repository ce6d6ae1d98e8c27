public import BrowseData
public import Foundation

extension ScriptedServer {
    /// What a scripted server answers one request with.
    public struct Response: Sendable {
        indirect enum Content: Sendable {
            case response(status: Int, headers: HTTPHeaders, body: Data)
            case fixture(String, status: Int, headers: HTTPHeaders)
            case failure(URLError.Code)
            case after(Duration, Response)
            case held(Response)
            case computed(@Sendable (HTTPRequest) async -> Response)
        }

        let content: Content

        /// A JSON text, sent as it is; it need not be valid.
        ///
        /// - Parameters:
        ///   - text: The body.
        ///   - status: The status code.
        ///   - headers: Fields in addition to `Content-Type`, which they may replace.
        public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Response {
            Response(content: .response(status: status, headers: .json(and: headers), body: Data(text.utf8)))
        }

        /// A fixture's JSON.
        ///
        /// When there is no fixture of that name, the request fails and ``ScriptedServer/verify()`` says so.
        ///
        /// - Parameters:
        ///   - name: As ``Fixture/init(_:)`` takes it, such as `GitHub/user-octocat`.
        ///   - status: The status code.
        ///   - headers: Fields in addition to `Content-Type`, which they may replace.
        public static func fixture(_ name: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Response {
            Response(content: .fixture(name, status: status, headers: .json(and: headers)))
        }

        /// A status without a body.
        ///
        /// A redirect is `.status(302, headers: ["Location": …])`, and is followed by the transport.
        public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Response {
            Response(content: .response(status: status, headers: headers, body: Data()))
        }

        /// Any bytes, with a content type of their own or none.
        public static func body(_ body: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> Response {
            Response(content: .response(status: status, headers: headers, body: body))
        }

        /// No response: the connection fails in this way.
        public static func failure(_ code: URLError.Code) -> Response {
            Response(content: .failure(code))
        }

        /// A response that comes later, by the server's clock.
        public static func after(_ delay: Duration, _ response: Response) -> Response {
            Response(content: .after(delay, response))
        }

        /// A response that comes when the test calls ``ScriptedServer/release()``.
        public static func held(_ response: Response) -> Response {
            Response(content: .held(response))
        }

        /// A response that is made from the request when it comes.
        ///
        /// It may wait; the calling task is canceled when the client gives up.
        public static func computed(_ response: @escaping @Sendable (HTTPRequest) async -> Response) -> Response {
            Response(content: .computed(response))
        }
    }
}

extension HTTPHeaders {
    /// The content type that GitHub sends, and other fields.
    static func json(and others: HTTPHeaders) -> HTTPHeaders {
        var headers: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]
        headers.merge(others)
        return headers
    }
}
