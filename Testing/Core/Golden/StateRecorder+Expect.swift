public import BrowseCoreMocks
public import Testing

extension StateRecorder {
    /// Compares the sequence of a value, and records an issue with the difference.
    ///
    /// ```swift
    /// recorder.expect(\.content.status, [.idle, .loading, .ready])
    /// ```
    ///
    /// Successive equal values count once, so changes of other values don't matter.
    ///
    /// - Parameters:
    ///   - value: The value to compare, such as `\.content.status`; `\.self` for whole states.
    ///   - expected: The values so far, the first before any change.
    ///   - sourceLocation: The location of the issue.
    public func expect<Value: Equatable>(
        _ value: (Model.State) -> Value,
        _ expected: [Value],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let actual = states.map(value).withoutRepetitions
        let expected = expected.withoutRepetitions
        guard actual != expected else { return }
        let (old, new) = (expected.map(StateTranscript.text), actual.map(StateTranscript.text))
        var difference = "\(TextDifference(from: old, to: new))"
        // Values can differ in parts that their descriptions don't show.
        if old == new, let index = zip(actual, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            difference = "Value \(index) differs, but both are described as \(new[index])."
        }
        let report = "The sequence differs (- expected, + actual):\n\(difference)"
        Issue.record(Comment(rawValue: report), sourceLocation: sourceLocation)
    }

    /// The states as text, for ``expectGolden(_:_:in:isRecording:filePath:sourceLocation:)``.
    ///
    /// The first state has all of its values; each later one has those that changed:
    ///
    /// ```text
    /// 0 content.status: idle
    /// 1 content.status: loading
    /// 2 content.status: ready
    /// 2 content.rows: 12 elements, digest 1f2e3d4c5b6a7988
    /// 2 content.rows[0...9]: 2ff7 895a c295 6593 14ff bde5 2ed2 b89c 8055 7ea9
    /// 2 content.rows[10...11]: 18a9 03f6
    /// 3 content.rows: 12 elements, digest 7988a1b2c3d4e5f6
    /// 3 content.rows[7]: 90ab
    /// ```
    ///
    /// The text is the same in every run. Unordered collections are sorted, and a collection of
    /// more than ten elements is shown by their number and a digest, which changes if any element
    /// does. An array also has a digest for each element that changed; of over 200 elements, one
    /// for each 10 of them, of over 2,000, one for each 100, and so on.
    ///
    /// Values with equal descriptions look the same, such as `1` and `"1"`, or a value and an
    /// optional of it. Compare them with ``expect(_:_:sourceLocation:)``, which notices the
    /// difference.
    public var transcript: String {
        var known: [String: String] = [:]
        var lines: [String] = []
        for (number, state) in states.enumerated() {
            let values = StateTranscript.values(of: state)
            for (path, text) in values where known[path] != text {
                lines += StateTranscript.lines(of: text, at: path, after: known[path]).map { "\(number) \($0)" }
            }
            // Parts that are gone need no line: the value that they were part of has another one.
            known = Dictionary(values) { first, _ in first }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Array where Element: Equatable {
    /// The elements that differ from the one before.
    fileprivate var withoutRepetitions: [Element] {
        reduce(into: []) { result, element in
            if result.last != element { result.append(element) }
        }
    }
}
