import Observation

/// Uses `Observations`, which macOS 15 lacks.
@MainActor
func availabilityProbe(_ number: @escaping @MainActor @Sendable () -> Int) -> some AsyncSequence {
    Observations { number() }
}
