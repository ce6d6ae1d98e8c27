package import BrowsePresentation

/// How a run ended; its exit code is part of the tool's interface, and listed in `browse --help`.
package enum Outcome: Hashable, Sendable {
    /// What was asked for was shown; an empty list counts.
    case success
    /// Anything that has no code of its own.
    case failure
    /// The arguments, or something that they name, cannot be used.
    case usage
    /// There is no such thing.
    case notFound
    /// No connection, or no answer in time.
    case network
    /// The server asks to wait.
    case rateLimited
    /// A sign-in is needed, or does not suffice.
    case access
    /// The server failed, or sent what cannot be used.
    case server
    /// Favorites or the sign-in could not be stored or read.
    case storage
    /// Stopped by a signal.
    case interrupted(Int32)
    /// Whoever read the output went away.
    case outputClosed

    /// What the shell gets; 128 and the signal's number for a signal, as shells have it.
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

    /// The outcome of a run that ended with this message.
    package init(_ kind: Message.Kind) {
        self =
            switch kind {
            case .empty, .noMatches: .success
            case .notFound: .notFound
            case .offline, .timedOut: .network
            case .rateLimited, .waiting: .rateLimited
            case .unauthorized, .forbidden, .signInFailed: .access
            case .serverFailure, .unsafe: .server
            case .rejected: .failure
            case .storage: .storage
            }
    }

    static let explanation: String = """
        EXIT CODES:
          0    shown; an empty list counts, and says so on the error output
          1    GitHub can't do it as it was asked, or the output can't be written
          2    the arguments, a name, or the token can't be used
          3    there is nothing by that name
          4    no connection, or no answer in time, and nothing was seen before
          5    GitHub asks to wait
          6    a sign-in is needed, or not enough
          7    the server failed, or sent what can't be used
          8    favorites or the sign-in can't be stored or read
          130  stopped by Ctrl-C (SIGINT); 143 by SIGTERM
          141  whoever read the output went away
        """
}
