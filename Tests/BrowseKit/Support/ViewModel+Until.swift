import BrowsePresentation

extension ViewModel {
    /// Waits until a state meets a condition; the test's time limit ends the wait.
    @discardableResult
    func until(_ condition: (State) -> Bool) async -> State {
        for await state in states.every where condition(state) { return state }
        return state
    }
}
