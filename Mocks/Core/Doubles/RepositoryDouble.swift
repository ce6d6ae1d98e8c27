public import BrowseDomain

/// A repository whose results a test sets as closures.
///
/// Every repository protocol has a double. Use one for failures and delays, and to inspect calls; for data, use the in-memory
/// repositories. All doubles have the same parts:
///
/// ```swift
/// var users = UserRepositoryDouble()  // each call fails with a hint until its closure is set
/// users.onProfile = { login throws(BrowseError) in mona }
/// let broken = UserRepositoryDouble.failing(with: error)  // each call throws the error
/// let slow = UserRepositoryDouble.never  // each call suspends until its task is canceled
/// let held = UserRepositoryDouble.controlled(by: responses)  // reads of profiles suspend until the test responds
/// var partly = UserRepositoryDouble(over: InMemoryUserRepository(profiles: [mona]))  // forwards other calls
/// ```
///
/// A call whose closure isn't set, and has no default, fails with a hint, and is an issue in a test with the trait
/// `.verifiesMocks`. Streams of changes report nothing unless they are set.
///
/// Your own protocols can have doubles, too:
///
/// ```swift
/// struct BookRepositoryDouble: BookRepository, RepositoryDouble {
///     var onBook: @Sendable (Int) async throws(BrowseError) -> String
///
///     init(throwing error: DoubleFailure) {
///         onBook = { _ throws(BrowseError) in throw await error("onBook", 1) }
///     }
///
///     func book(_ number: Int) async throws(BrowseError) -> String { try await onBook(number) }
/// }
/// ```
public protocol RepositoryDouble: Sendable {
    /// Creates a double whose calls throw.
    ///
    /// - Parameter error: Returns the error of a call.
    init(throwing error: DoubleFailure)

    /// The name of the type in reports; by default, that of the Swift type.
    static var reportedName: String { get }
}

/// Returns the errors that a double's calls throw, possibly after waiting.
public struct DoubleFailure: Sendable {
    private let error: @Sendable (_ closure: String, _ parameterCount: Int) async -> BrowseError

    /// Creates a failure.
    init(_ error: @escaping @Sendable (_ closure: String, _ parameterCount: Int) async -> BrowseError) {
        self.error = error
    }

    /// Returns the error to throw.
    ///
    /// - Parameters:
    ///   - closure: The name of the called closure.
    ///   - parameterCount: The number of its parameters.
    public func callAsFunction(_ closure: String, _ parameterCount: Int) async -> BrowseError {
        await error(closure, parameterCount)
    }
}

extension RepositoryDouble {
    /// The name of the Swift type.
    public static var reportedName: String { "\(Self.self)" }

    /// Creates a double whose closures aren't set.
    public init() {
        self.init(throwing: Self.notSet)
    }

    /// Returns a double whose calls fail.
    public static func failing(with error: BrowseError) -> Self {
        Self(throwing: DoubleFailure { _, _ in error })
    }

    /// A double whose calls suspend until their task is canceled, and then throw `.cancelled`.
    public static var never: Self {
        Self(
            throwing: DoubleFailure { _, _ in
                await Monitor(()).wait { false }
                return .cancelled
            }
        )
    }

    /// Reports a call of a closure that isn't set; for the initializers of doubles.
    ///
    /// The error isn't shown as a lost connection, and has the report as its message.
    public static var notSet: DoubleFailure {
        // A call from a detached task has no scope of its own.
        let scope = TestScope.current
        return DoubleFailure { closure, count in
            let list = count == 0 ? "()" : [String](repeating: "_", count: count).joined(separator: ", ")
            let report =
                "\(reportedName).\(closure) was called but is not set. "
                + "Set it: double.\(closure) = { \(list) throws(BrowseError) in throw .cancelled }"
            (TestScope.current ?? scope)?.record(report)
            return .rejected(
                BrowseError.RequestInfo(endpoint: "\(reportedName).\(closure)", serverMessage: report)
            )
        }
    }
}

extension Page {
    /// Returns the first row, for a call of a double that reads one.
    package func first(for double: String) throws(BrowseError) -> Element {
        guard let first = items.first else {
            throw .notFound(BrowseError.RequestInfo(endpoint: "\(double).controlled(by: _:)"))
        }
        return first
    }
}

extension AsyncStream {
    /// A stream without values that ends when its consumer is canceled.
    package static var silent: AsyncStream { AsyncStream { _ in } }
}
