import BrowsePresentation

extension ViewModel {
    /// Waits until a state meets a condition; a test's time limit ends it when none does.
    @discardableResult
    func until(_ condition: (State) -> Bool) async -> State {
        for await state in states.every where condition(state) { return state }
        return state
    }
}
