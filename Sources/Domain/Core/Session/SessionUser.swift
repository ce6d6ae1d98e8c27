/// A user of a service, whose session is a ``Session``.
///
/// The user is stored with the token, so that a restored session knows it without a request.
public protocol SessionUser: Codable, Hashable, Sendable {
    /// The content that a session loads between the user and the screens; none by default.
    associatedtype Content: SessionContent = NoSessionContent

    /// A nonsecret identifier that never changes, such as the service's number of the user.
    ///
    /// Screens start over when it changes. It isn't the key of cached responses and rate limits,
    /// which belong to a sign-in.
    var accountID: String { get }
}
