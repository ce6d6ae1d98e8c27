public import BrowsePresentation
import Observation

/// Records every state of a view model, in order, without retaining the view model.
///
/// ```swift
/// let recorder = StateRecorder(of: viewModel)
/// await viewModel.show()
/// #expect(recorder.states.first?.content.status == .idle)
/// ```
@MainActor
public final class StateRecorder<Model: ViewModel> {
    private let source: States<Model.State>
    private var past: [Model.State] = []

    /// Starts recording; the current state is the first.
    public init(of model: Model) {
        source = model.states
        recordNextChange()
    }

    /// The states so far, the current one last; observable.
    public var states: [Model.State] {
        let current = source.current
        // Equal while the state changes: an observer that reads at that time sees the old one,
        // which is recorded already.
        return past.last == current ? past : past + [current]
    }

    /// Waits until the current state meets a condition, for work that a test can't await.
    ///
    /// - Parameters:
    ///   - limit: The time limit, in real time, for a test that would otherwise wait forever.
    ///   - fileID: The file that the error names.
    ///   - filePath: The path of that file, of which the error shows the lines of the call.
    ///   - line: The line that the error names.
    ///   - condition: Evaluated after each change.
    /// - Returns: The state that meets the condition.
    /// - Throws: ``ConditionNotMet`` when the limit expires or the task is canceled first.
    @discardableResult
    public func wait(
        within limit: Duration = .seconds(60),
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        until condition: (Model.State) -> Bool
    ) async throws(ConditionNotMet) -> Model.State {
        try await waitUntil(within: limit, fileID: fileID, filePath: filePath, line: line) { condition(source.current) }
        return source.current
    }

    /// Records the old state: observation calls back synchronously before each change.
    private func recordNextChange() {
        withObservationTracking {
            _ = source.current
        } onChange: { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.past = self.states
                self.recordNextChange()
            }
        }
    }
}
