/// A request method of RFC 9110, section 9, or RFC 5789.
public enum HTTPMethod: String, Hashable, Sendable {
    /// Reads a resource.
    case get = "GET"
    /// Submits data for processing.
    case post = "POST"
    /// Creates or replaces a resource.
    case put = "PUT"
    /// Changes part of a resource.
    case patch = "PATCH"
    /// Deletes a resource.
    case delete = "DELETE"

    /// Whether repeating a request has no further effects (RFC 9110, section 9.2.2; RFC 5789,
    /// section 2).
    var isIdempotent: Bool { self != .post && self != .patch }
}
