public import BrowseDomain

extension GitHub.StarStore {
    /// A write that is pending, in flight, or finished.
    public struct StarWrite: Sendable {
        /// The outcome of a write.
        public enum Outcome: Hashable, Sendable {
            /// GitHub has the user's latest value.
            case stored
            /// The write failed, and the star is shown as before.
            case undone(BrowseError)
            /// GitHub may have made the change, which is still shown; the query of its value failed.
            case unconfirmed(BrowseError)
            /// The session ended first, or the waiting task was canceled.
            case cancelled
        }

        private let outcomes: AsyncStream<Outcome>
        let continuation: AsyncStream<Outcome>.Continuation

        init() { (outcomes, continuation) = AsyncStream.makeStream() }

        /// The outcome; `.cancelled` if it was awaited before.
        public var result: Outcome {
            get async {
                for await outcome in outcomes { return outcome }
                return .cancelled
            }
        }

        func finish(with outcome: Outcome) {
            continuation.yield(outcome)
            continuation.finish()
        }
    }
}
