package import BrowseCoreMocks
import BrowseData
import BrowsePresentation
import Synchronization
public import Testing

/// Reports the misuse of mocks as issues of a test; see `verifiesMocks`.
public struct MockVerificationTrait: TestTrait, SuiteTrait, TestScoping {
    /// `true`, because the trait also applies to the tests of nested suites.
    public var isRecursive: Bool { true }

    /// Runs a test, records its issues as they occur, and verifies its servers when it ends.
    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await Self.verify(test) { try await function() }
    }

    /// Runs a body in a scope that records the issues of mocks.
    @concurrent
    static func verify(_ test: Test, performing body: @Sendable @concurrent () async throws -> Void) async throws {
        let hasFailed = Atomic(false)
        let observer = IssueHandlingTrait.compactMapIssues { issue in
            // An issue of a task that belongs to no test goes to all running tests, and to the run.
            guard Test.current != nil else { return nil }
            #if compiler(>=6.3)
            if issue.isFailure { hasFailed.store(true, ordering: .relaxed) }
            #endif
            return issue
        }
        try await verify(
            test.displayName ?? test.name,
            recording: { record($0, at: $1, in: test) },
            isTask: { Test.current?.id == test.id && TestScope.current != nil },
            hasLimit: test.timeLimit != nil,
            hasFailed: { hasFailed.load(ordering: .relaxed) }
        ) {
            try await observer.provideScope(for: test, testCase: nil) { try await body() }
        }
    }

    /// Runs a body in a scope whose issues a closure records.
    ///
    /// - Parameters:
    ///   - isTask: Whether the calling task is one of the test. It records issues itself, so that
    ///     `withKnownIssue` has them.
    ///   - hasLimit: Whether the test has a time limit, so that the scope needs none.
    ///   - clock: Measures how long the body waits.
    ///   - hasFailed: Whether the body has recorded an issue itself.
    @concurrent
    package static func verify(
        _ name: String,
        recording record: @escaping TestScope.Report,
        isTask: @escaping @Sendable () -> Bool = { false },
        hasLimit: Bool = false,
        clock: any Clock<Duration> = ContinuousClock(),
        hasFailed: () -> Bool = { false },
        performing body: @Sendable @concurrent () async throws -> Void
    ) async throws {
        typealias Report = (message: String, position: SourcePosition?)
        let (reports, continuation) = AsyncStream<Report>.makeStream()
        // The stream ends if the test is canceled, as by a time limit; `nil` after the test.
        let late = Mutex<[Report]?>([])
        let scope = TestScope(clock: clock) { message, position in
            if isTask(), late.withLock({ $0 != nil }) { return record(message, position) }
            guard case .terminated = continuation.yield((message, position)) else { return }
            let hasEnded = late.withLock { late in
                late?.append((message, position))
                return late == nil
            }
            // The test can't have issues any more.
            if hasEnded { TestScope.write("\(name) has ended, but its work goes on. Await it. \(message)") }
        }
        // Mocks report from any task; only the tasks of the test know the current test.
        async let recording: Int = {
            var count = 0
            for await report in reports {
                record(report.message, report.position)
                count += 1
            }
            return count
        }()
        let misuse = ScreenMisuse { text, place, isHint in
            let position = place.map { SourcePosition(fileID: $0, filePath: $1, line: $2, column: 1) }
            guard isHint else { return scope.record(text, at: position) }
            scope.remind(.hint) { "\(text.prefix(1).lowercased())\(text.dropFirst())" }
        }
        let decoding = DecodingObserver { scope.keys.didDecode($0, from: $1, by: $2) }
        let result = await Result {
            try await ScreenMisuse.$receiver.withValue(misuse) {
                try await DecodingObserver.$current.withValue(decoding) {
                    try await TestScope.$current.withValue(scope) {
                        try await withoutActuallyEscaping(body) { body in
                            try await scope.value(of: Task { try await body() }, in: name, hasLimit: hasLimit)
                        }
                    }
                }
            }
        }
        let hints = scope.hints
        let end = result.end
        scope.end(end)
        continuation.finish()
        let count = await recording
        for report in late.withLock({ $0.take() }) ?? [] { record(report.message, report.position) }
        // A test that passes may leave work behind, such as a load whose spinner it has seen.
        if !scope.isCanceled, end != .returned || count > 0 || hasFailed() {
            for text in hints { record("When the test failed, \(text)", nil) }
        }
        try result.get()
    }

    private static func record(_ message: String, at position: SourcePosition?, in test: Test) {
        Issue.record(Comment(rawValue: message), sourceLocation: position?.location ?? test.sourceLocation)
    }
}

extension Trait where Self == MockVerificationTrait {
    /// Verifies the mocks of a test, and records each misuse as an issue.
    ///
    /// ```swift
    /// @Test(.verifiesMocks)
    /// func greets() async throws {
    ///     let server = ScriptedServer()
    ///     server.on(.get, "https://api.example.com/greeting", response: .json(#""Hello""#))
    ///     #expect(try await GreetingClient(transport: server.transport()).greeting() == "Hello")
    /// }
    /// ```
    ///
    /// - An unexpected request to a `ScriptedServer` is an issue immediately, with the closest
    ///   stub.
    /// - A stub that received fewer requests than it expects is an issue when the test ends, at the
    ///   line of the stub, with the closest of the other requests, unless the test called
    ///   `verify()`. If the test threw an error, only an unused stub is one, and only if other
    ///   requests came, or if the error is that of `waitUntil`, whose limit expired.
    /// - A scripted success is an issue at the line of its stub if its body or one of its rows
    ///   can't be decoded, unless `undecodable()` was called on the response.
    /// - A response of an offline service is an issue if it's an error without the evidence of the
    ///   service, or if its body can't be decoded. A row that can't be is one if the test fails.
    /// - A scenario that was set for some requests is an issue when the test ends, at its line, if
    ///   no request matched.
    /// - Services of a container of the kit that have the same name or kind of favorites are
    ///   issues, and so are facts of a screen, fields of a search, and choices of a field with the
    ///   same id.
    /// - A change of a favorite is an issue if its screen doesn't have favorites, and so is a call
    ///   for a row that a list doesn't have, or to load what a screen doesn't show yet, such as
    ///   `refresh()` before `show(_:)`: they have no effect. So is a loop over `loadMore()` that
    ///   doesn't end after a failure; its list is then emptied, so that it ends.
    /// - A sign-in without an app or redirect, and a callback that it ignored, are issues if the
    ///   test fails; others can mean them.
    /// - A dependency that is overridden after its first use is an issue, and keeps its value.
    /// - A key of a type that was decoded from a fixture or a recorded response is an issue if none
    ///   of them has it, unless ``allowsAbsentKeys(_:)`` allows that: it may be mistyped.
    /// - Whatever waited when the test was canceled, as by its time limit, is an issue: a task that
    ///   slept on a `TestClock`, a held response, and a call such as `waitForSleepers(1)` or
    ///   `waitUntil`, with its line. All these end, also in tasks that the test started and didn't
    ///   cancel. They are on standard error after half a minute. In a test without the trait
    ///   `.timeLimit`, they are issues and end, too, when nothing has changed for five minutes.
    /// - If the test fails for another reason, whatever waits at its end is an issue, since it may
    ///   be the cause, such as a request for a held response, or a typed search whose view model
    ///   ended with the test. So is an advance of a `TestClock` on which nothing slept, and a
    ///   service's `scenario` that no request followed, or whose rate limit ends by another clock
    ///   than the test's.
    ///
    /// A test that skips itself, by `Test.cancel`, has no issues at its end. The trait covers the
    /// mocks that the test creates, and the stubs that it adds, so tests can run in parallel.
    public static var verifiesMocks: MockVerificationTrait { MockVerificationTrait() }
}

extension SourcePosition {
    fileprivate var location: SourceLocation {
        SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: @Sendable @concurrent () async throws -> Success) async where Success: Sendable {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }

    /// How a test with this result ends.
    fileprivate var end: TestScope.End {
        guard case .failure(let error) = self else { return .returned }
        if case .expired? = (error as? ConditionNotMet)?.reason { return .expired }
        return .thrown
    }
}
