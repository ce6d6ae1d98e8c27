public import BrowsePresentation

/// Keeps every state of a view model, in order, from the moment it is made.
///
/// ```swift
/// let recorder = StateRecorder(of: viewModel)
/// await viewModel.show(.followers(of: octocat))
/// #expect(await recorder.states().map(\.content.status) == [.idle, .loading, .ready])
/// ```
@MainActor
public final class StateRecorder<Model: ViewModel> {
    private let model: Model
    private var stream: AsyncStream<Model.State>
    private var recorded: [Model.State] = []

    /// Begins to record; the current state is the first.
    public init(of model: Model) {
        self.model = model
        stream = model.states(.every)
    }

    /// The states from the beginning until now, the current one last.
    public func states() async -> [Model.State] {
        // A stream whose reader is canceled still hands out what it holds, and then ends. The next one is opened first, so
        // that nothing is missed; it begins with the state that the old one ends with.
        let ending = stream
        stream = model.states(.every)
        let reading = Task {
            var states: [Model.State] = []
            for await state in ending { states.append(state) }
            return states
        }
        reading.cancel()
        let states = await reading.value
        recorded += recorded.isEmpty ? states[...] : states.dropFirst()
        return recorded
    }
}
