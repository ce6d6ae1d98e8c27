public import BrowseCore
public import BrowseCoreMocks
public import Foundation
public import Testing

/// Gives a test the responses of a recording; see
/// `replay(_:in:mode:releasesInRecordedOrder:rules:)`.
public struct ReplayTrait: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal static var current: ReplayingTransport?

    fileprivate let recording: Result<Recording, Recording.Unreadable>
    fileprivate let place: URL
    fileprivate let mode: ReplayingTransport.Mode
    fileprivate let releasesInRecordedOrder: Bool
    fileprivate let rules: RecordingRules

    /// `true`, because the trait also applies to the tests of nested suites.
    public var isRecursive: Bool { true }

    /// Runs a test with a replay of its own, and records its issues.
    ///
    /// - Throws: `Recording.Unreadable` when there is no usable recording.
    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let recording = try self.recording.get()
        try await MockVerificationTrait.verify(test) {
            let replay = ReplayingTransport(
                recording,
                mode: mode,
                releasesInRecordedOrder: releasesInRecordedOrder,
                rules: rules
            )
            // A test that throws has recorded, too.
            defer { save(replay.recording, replacing: recording, in: test) }
            try await Self.$current.withValue(replay) { try await function() }
        }
    }

    /// Writes newly recorded exchanges. It is an issue, because a test must not depend on the
    /// network.
    private func save(_ recording: Recording, replacing old: Recording, in test: Test) {
        let count = recording.exchanges.count - old.exchanges.count
        guard count > 0 else { return }
        do {
            try recording.save(to: place)
        } catch {
            let report = "\(place.path(percentEncoded: false)) couldn't be written: \(error)"
            Issue.record(Comment(rawValue: report), sourceLocation: test.sourceLocation)
            return
        }
        let report = """
            Recorded \(count) exchange\(count == 1 ? "" : "s") in \(place.path(percentEncoded: false)). Check that no secrets are \
            left, and run the test again without the mode .recordMissing.
            """
        Issue.record(Comment(rawValue: report), sourceLocation: test.sourceLocation)
    }
}

extension Trait where Self == ReplayTrait {
    /// Replays a recording in a test.
    ///
    /// ```swift
    /// @Test(.replay("greeting.har"))
    /// func replays() async throws {
    ///     #expect(try await GreetingClient(transport: ReplayingTransport.current()).greeting() == "Hello")
    /// }
    /// ```
    ///
    /// Each test, and each case of a parameterized test, has a replay of its own, so tests run in
    /// parallel. Requests without a recorded response are issues immediately; recorded requests
    /// that weren't sent are issues at the end.
    ///
    /// - Parameters:
    ///   - name: A folder of exchanges, or a HAR file with bodies.
    ///   - bundle: The bundle with the recording, at its root or in its `Fixtures` folder; `nil`
    ///     for the folder of the test's source file and the `Fixtures` folder in it.
    ///   - mode: How requests find responses. With `.recordMissing(from:)`, newly recorded
    ///     exchanges are written when the test ends, even if it throws: next to the test's source
    ///     file if the recording is there, otherwise in its `Fixtures` folder. They are an issue.
    ///     The recording can be missing. Each test needs its own.
    ///   - releasesInRecordedOrder: Whether responses arrive in the order in which they were
    ///     recorded, so that a screen has the same sequence of states every time. Then all recorded
    ///     requests must be sent.
    ///   - rules: The rules of the recording.
    ///   - filePath: The test's source file.
    public static func replay(
        _ name: String,
        in bundle: Bundle? = nil,
        mode: ReplayingTransport.Mode = .strict,
        releasesInRecordedOrder: Bool = true,
        rules: RecordingRules = RecordingRules(),
        filePath: String = #filePath
    ) -> ReplayTrait {
        let place = TestFile.url(of: name, in: bundle, filePath: filePath)
        var isRecording = false
        if case .recordMissing = mode { isRecording = true }
        let recording = Result { () throws(Recording.Unreadable) in
            try isRecording && !TestFile.exists(place) ? Recording() : Recording(contentsOf: place)
        }
        return ReplayTrait(
            recording: recording,
            // Next to the sources, because a test's bundle is made again by each build.
            place: TestFile.writableURL(of: name, filePath: filePath),
            mode: mode,
            releasesInRecordedOrder: releasesInRecordedOrder,
            rules: rules
        )
    }
}

extension Container {
    /// Returns a container on the recording of the current test.
    ///
    /// Requests aren't retried, and nothing is stored or cached unless the configuration names a
    /// folder.
    ///
    /// - Parameters:
    ///   - configuration: The settings; base URLs must be those of the recording.
    ///   - types: The services, by the types of their settings.
    /// - Throws: `ReplayingTransport.NotReplaying` in a test without the trait `.replay`.
    public static func replay(
        configuration: Configuration = Configuration(),
        services types: [any ServiceSettings.Type]
    ) throws(ReplayingTransport.NotReplaying) -> Container {
        let replay = try ReplayingTransport.current()
        return production(on: replay, configuration: configuration.with { $0.retries = .never }, services: types)
    }
}
