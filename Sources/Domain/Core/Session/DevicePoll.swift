/// The server's response to a poll.
public enum DevicePoll: Hashable, Sendable {
    /// The user hasn't entered the code yet.
    case pending
    /// Like ``pending``, but polls must be less frequent; the value is the new interval, if known.
    case slowDown(Duration?)
    /// The user authorized the app.
    case granted(Credentials)
}
