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
        let name = test.displayName ?? test.name
        try await verify(name, recording: { record($0, at: $1, in: test) }, performing: body)
    }

    /// Runs a body in a scope whose issues a closure records.
    @concurrent
    package static func verify(
        _ name: String,
        recording record: @escaping TestScope.Report,
        performing body: @Sendable @concurrent () async throws -> Void
    ) async throws {
        typealias Report = (message: String, position: SourcePosition?)
        let (reports, continuation) = AsyncStream<Report>.makeStream()
        // The stream ends if the test is canceled, as by a time limit; `nil` after the test.
        let late = Mutex<[Report]?>([])
        let scope = TestScope { message, position in
            guard case .terminated = continuation.yield((message, position)) else { return }
            let hasEnded = late.withLock { late in
                late?.append((message, position))
                return late == nil
            }
            // The test can't have issues any more.
            if hasEnded { TestScope.write("\(name) has ended, but its work goes on. Await it. \(message)") }
        }
        // Mocks report from any task; only a child task of the test knows the current test.
        async let recording: Void = {
            for await report in reports { record(report.message, report.position) }
        }()
        async let _: Void = scope.writeReminders(of: name)
        let misuse = ScreenMisuse { scope.record($0) }
        let decoding = DecodingObserver { scope.keys.didDecode($0, from: $1, by: $2) }
        let result = await Result {
            try await ScreenMisuse.$receiver.withValue(misuse) {
                try await DecodingObserver.$current.withValue(decoding) {
                    try await TestScope.$current.withValue(scope) {
                        try await withoutActuallyEscaping(body) { body in
                            try await scope.value(of: Task { try await body() })
                        }
                    }
                }
            }
        }
        scope.end(isVerifying: (try? result.get()) != nil)
        continuation.finish()
        await recording
        for report in late.withLock({ $0.take() }) ?? [] { record(report.message, report.position) }
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
    ///   requests came.
    /// - A scripted success is an issue at the line of its stub if its body or one of its rows
    ///   can't be decoded, unless `undecodable()` was called on the response.
    /// - A scenario that was set for some requests is an issue when the test ends, at its line, if
    ///   no request matched.
    /// - Services of a container of the kit that have the same name or kind of favorites are
    ///   issues, and so are facts of a screen, fields of a search, and choices of a field with the
    ///   same id.
    /// - A change of a favorite is an issue if its screen doesn't have favorites, and so is a call
    ///   for a row that a list doesn't have, or to load what a screen doesn't show yet, such as
    ///   `refresh()` before `show(_:)`: they have no effect.
    /// - A key of a type that was decoded from a fixture or a recorded response is an issue if none
    ///   of them has it, unless ``allowsAbsentKeys(_:)`` allows that: it may be mistyped.
    /// - Whatever waited when the test was canceled, as by its time limit, is an issue: a task that
    ///   slept on a `TestClock`, a held response, and a call such as `waitForSleepers(1)` or
    ///   `waitUntil`, with its line. All these end, also in tasks that the test started and didn't
    ///   cancel. A test without a limit writes them on standard error, every half a minute.
    ///
    /// It covers the servers that the test creates, so tests run in parallel.
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
}
