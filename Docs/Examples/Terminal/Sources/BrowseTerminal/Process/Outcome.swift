package import BrowseKit

/// The result of a run, which determines the exit code.
package enum Outcome: Hashable, Sendable {
    /// The content was shown, even if it's empty.
    case success
    /// A failure without an exit code of its own.
    case failure
    /// Invalid arguments, names, or tokens.
    case usage
    /// The item doesn't exist.
    case notFound
    /// No connection, or no response in time.
    case network
    /// A rate limit is exhausted.
    case rateLimited
    /// The sign-in is missing or insufficient.
    case access
    /// The server failed, or its response is unusable.
    case server
    /// Favorites, the sign-in, or an export can't be read or written.
    case storage
    /// A signal stopped the run.
    case interrupted(Int32)
    /// The reader of the output closed it.
    case outputClosed

    /// The exit code; 128 plus the signal's number for a signal, as in shells.
    package var code: Int32 {
        switch self {
        case .success: 0
        case .failure: 1
        case .usage: 2
        case .notFound: 3
        case .network: 4
        case .rateLimited: 5
        case .access: 6
        case .server: 7
        case .storage: 8
        case .interrupted(let signal): 128 + signal
        case .outputClosed: 141
        }
    }

    /// Creates the outcome of a run that ended with a message.
    package init(_ kind: Message.Kind) {
        self =
            switch kind {
            case .empty, .noMatches: .success
            case .notFound: .notFound
            case .offline, .timedOut: .network
            case .rateLimited: .rateLimited
            case .unauthorized, .forbidden, .signInFailed: .access
            case .serverFailure, .unsafe: .server
            case .rejected: .failure
            case .storage: .storage
            }
    }

    static let explanation: String = """
        EXIT CODES:
          0    success, including an empty list
          1    the request wasn't accepted, or the output can't be written
          2    invalid arguments, name, or token
          3    not found
          4    no connection or response, and nothing cached
          5    rate limit exceeded
          6    sign-in missing or insufficient
          7    server error, unusable response, or a list that the server doesn't end
          8    favorites, the sign-in, or an export can't be read or written
          130  stopped by Ctrl-C (SIGINT); 143 by SIGTERM
          141  output closed by its reader
        """
}
