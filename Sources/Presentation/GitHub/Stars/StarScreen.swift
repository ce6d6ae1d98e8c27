import BrowseGitHubDomain
import BrowsePresentation

/// A part of a screen that shows stars: a list, or one repository.
@MainActor
protocol StarScreen: AnyObject {
    /// Whether its status says why nobody is signed in.
    var isPersonal: Bool { get }
    /// Shows a message, in place of the current one.
    func show(_ notice: Message?)
    /// Hides a message, unless another one is shown by now.
    func hide(_ notice: Message?)
    /// Returns whether it still shows a repository, and so the failure of its star.
    func shows(_ id: GitHub.Repo.ID) -> Bool
    /// Updates the stars of repositories; `nil` is all.
    func starsDidChange(_ ids: Set<GitHub.Repo.ID>?)
    /// Reloads repositories that the new user may not be allowed to see.
    func userDidChange(in session: GitHub.Session)
}
