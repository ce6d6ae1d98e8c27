/// A scripted response: the steps that the server performs for one request, in either version of HTTP.
public struct TLSResponse: Sendable {
    /// One action on a connection or a stream.
    public enum Step: Sendable {
        /// Sends an interim response (1xx).
        case informational(Int, [(String, String)] = [])
        /// Sends the status and the header.
        ///
        /// Over HTTP/1.1, the body is chunked unless `Content-Length` or `Connection: close` is set.
        case head(Int, [(String, String)] = [])
        /// Sends a part of the body.
        case body([UInt8])
        /// Sends a part of the body `count` times, each after the peer has received the previous one.
        case repeated([UInt8], count: Int)
        /// Ends the body, with trailers if there are any.
        case end([(String, String)] = [])
        /// Waits until the gate opens.
        case wait(Gate)
        /// Waits until the peer closes the connection or resets the stream.
        case hold
        /// Resets the stream (HTTP/2), or the TCP connection (HTTP/1.1).
        case reset(StreamError = .internalError)
        /// Sends `GOAWAY` (HTTP/2); `isProcessed` is whether it includes this request.
        case goAway(isProcessed: Bool)
        /// Closes the TCP connection without TLS's closure alert, like an attacker who truncates a response.
        case cut
        /// Closes the connection in an orderly way.
        case close
    }

    /// The error code of a reset stream (RFC 9113, section 7).
    public enum StreamError: Sendable {
        case noError, protocolError, internalError, refusedStream, cancel, enhanceYourCalm
    }

    /// The actions in order.
    public var steps: [Step]

    /// Creates a response from its steps.
    public init(steps: [Step]) {
        self.steps = steps
    }

    /// Creates a complete response.
    public init(status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = []) {
        let length = ("content-length", "\(body.count)")
        steps = [.head(status, headers + [length])] + (body.isEmpty ? [] : [.body(body)]) + [.end()]
    }

    /// Returns a redirect to `location`.
    public static func redirect(to location: String, status: Int = 302) -> TLSResponse {
        TLSResponse(status: status, headers: [("location", location)])
    }
}
