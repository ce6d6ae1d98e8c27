/// The steps of the server on a connection in response to a request.
public struct LoopbackResponse: Sendable {
    /// One action on the connection.
    public enum Step: Sendable {
        /// Writes these bytes.
        case bytes([UInt8])

        /// Writes the chunk again and again until the peer closes or the server stops.
        case endless([UInt8])

        /// Writes the chunk `count` times without ever holding the whole in memory.
        case repeated([UInt8], count: Int)

        /// Keeps the connection open in silence until the peer closes or the server stops.
        case hold

        /// Keeps the connection open in silence until the gate opens, then goes on with the next step.
        case holdUntil(LoopbackGate)

        /// Runs a closure once all bytes before have been handed to the system.
        case run(@Sendable () -> Void)

        /// Performs the steps that a closure returns when the connection reaches it.
        case deferred(@Sendable () -> [Step])

        /// Closes the connection with a TCP reset.
        case reset

        /// Closes the connection in an orderly way.
        case close

        /// Writes the UTF-8 bytes of this text.
        public static func text(_ text: String) -> Step {
            .bytes(Array(text.utf8))
        }
    }

    /// The actions, performed in order.
    ///
    /// After the last one the server reads the next request from the same connection, unless a step ended the
    /// connection or the request asked for it to be closed.
    public var steps: [Step]

    /// Creates a response that performs these steps and adds nothing to them.
    public init(steps: [Step]) {
        self.steps = steps
    }

    /// Creates a complete response and keeps the connection alive.
    ///
    /// Content-Length is added unless `headers` name Content-Length or Transfer-Encoding, or the status allows no
    /// body (1xx, 204, 304) and the body is empty. The body is sent even in answer to HEAD: answer that with an
    /// empty body and a Content-Length of your own.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields in the order to send.
    ///   - body: The body in bytes.
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

    /// Creates a complete response with a text body in UTF-8 and keeps the connection alive.
    public init(status: Int = 200, headers: [(String, String)] = [], body: String) {
        self.init(status: status, headers: headers, body: Array(body.utf8))
    }

    /// Returns a complete response with a JSON body and the content type `application/json; charset=utf-8`.
    ///
    /// A Content-Type in `headers` takes the place of that one.
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

    /// Returns an empty response that redirects to `location`, sent as is in the Location header.
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
