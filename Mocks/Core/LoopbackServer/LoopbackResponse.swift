/// A response as a sequence of steps on the connection.
public struct LoopbackResponse: Sendable {
    /// An action on the connection.
    public enum Step: Sendable {
        /// Sends bytes.
        case bytes([UInt8])

        /// Sends a chunk repeatedly until the client closes the connection or the server stops.
        case endless([UInt8])

        /// Sends a chunk `count` times, with only one copy in memory.
        case repeated([UInt8], count: Int)

        /// Sends nothing until the client closes the connection or the server stops.
        case hold

        /// Sends nothing until a gate opens, and continues with the next step.
        case holdUntil(LoopbackGate)

        /// Runs a closure once the bytes of earlier steps have been passed to the system.
        case run(@Sendable () -> Void)

        /// Performs the steps that a closure returns; it's called when the connection reaches this
        /// step.
        case deferred(@Sendable () -> [Step])

        /// Closes the connection with a TCP reset.
        case reset

        /// Closes the connection without a reset.
        case close

        /// Closes only the sending direction.
        case closeSending

        /// Sends text in UTF-8.
        public static func text(_ text: String) -> Step {
            .bytes(Array(text.utf8))
        }
    }

    /// The steps, in order.
    ///
    /// After the last step, the server reads the next request from the connection, unless a step or
    /// the request closed it.
    public var steps: [Step]

    /// Creates a response that consists only of these steps.
    public init(steps: [Step]) {
        self.steps = steps
    }

    /// Creates a complete response that keeps the connection alive.
    ///
    /// Adds `Content-Length`, unless `headers` contains `Content-Length` or `Transfer-Encoding`, or
    /// the body is empty and the status allows none (1xx, 204, 304). The body is sent even in
    /// response to `HEAD`; in that case, pass an empty body and set `Content-Length`.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields, in order.
    ///   - body: The body.
    public init(status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = []) {
        var head = "HTTP/1.1 \(status) \(reasonPhrase(status))\r\n"
        var isFramed = body.isEmpty && (status < 200 || status == 204 || status == 304)
        for (name, value) in headers {
            head += "\(name): \(value)\r\n"
            isFramed = isFramed || ["content-length", "transfer-encoding"].contains(name.lowercased())
        }
        if !isFramed {
            head += "Content-Length: \(body.count)\r\n"
        }
        steps = [.bytes(Array((head + "\r\n").utf8) + body)]
    }

    /// Creates a complete response with a text body in UTF-8 that keeps the connection alive.
    public init(status: Int = 200, headers: [(String, String)] = [], body: String) {
        self.init(status: status, headers: headers, body: Array(body.utf8))
    }

    /// Returns a complete response with a JSON body.
    ///
    /// The content type is `application/json; charset=utf-8`, unless `headers` contains another.
    public static func json(
        _ text: String,
        status: Int = 200,
        headers: [(String, String)] = []
    ) -> LoopbackResponse {
        var headers = headers
        if !headers.contains(where: { $0.0.lowercased() == "content-type" }) {
            headers.insert(("Content-Type", "application/json; charset=utf-8"), at: 0)
        }
        return LoopbackResponse(status: status, headers: headers, body: text)
    }

    /// Returns an empty response that redirects; the `Location` header is sent as is.
    public static func redirect(to location: String, status: Int = 302) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: [("Location", location)])
    }
}

private func reasonPhrase(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 409: "Conflict"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    default: "Status"
    }
}
