/// The intents of one entity; a ``DetailViewModel`` forwards to them.
@MainActor
public struct DetailControls {
    let retry: @MainActor () async -> Void
    let refresh: @MainActor () async -> Void
    /// Changes the mark to what a closure returns for the shown one.
    let setFavorite: @MainActor (_ change: (Bool) -> Bool) async -> Void
    let dismissNotice: @MainActor () -> Void
}
