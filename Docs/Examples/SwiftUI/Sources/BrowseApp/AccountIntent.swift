import AppIntents
import BrowseKit
import Foundation

/// Says in a shortcut who an account is.
struct AccountIntent: AppIntent {
    static let title: LocalizedStringResource = "Look Up an Account on GitHub"

    @Parameter(title: "Username") var name: String
    @AppDependency private var container: Container

    @MainActor
    func perform() async throws -> some IntentResult & ProvidesDialog {
        let profile = container.userProfileViewModel()
        // As typed or dictated, such as with a space or an "@"; other names get the message of the screen.
        await profile.show((try? GitHub.Username(name))?.login ?? GitHub.Login(name))
        let facts = profile.state.content.details?.facts.map { "\($0.label): \($0.value)" }
        let text = facts?.joined(separator: "\n") ?? profile.state.content.status.message?.text ?? ""
        return .result(dialog: "\(text)")
    }
}
