import BrowseKit
import BrowseMocks
import BrowseSwiftUI
import Foundation
import SwiftUI

// A form for the server and the account of an app; the page "Build a SwiftUI app" shows it.

nonisolated extension Configuration {
    /// Creates the configuration for a server; `nil` if the text can't be its address.
    init?(server text: String) {
        guard let server = URL(string: TypedText(text).text) else { return nil }
        self.init()
        gitHub = GitHubSettings(server: server)
        do { try validate() } catch { return nil }
    }
}

nonisolated extension UserDefaults {
    /// The settings that the app shares with its widgets.
    static var app: UserDefaults { UserDefaults(suiteName: "group.com.example.browse") ?? .standard }
}

struct SettingsForm: View {
    private let use: @MainActor (Container) -> Void
    private let texts: Texts
    @State private var server: String
    @State private var token = ""
    @State private var problem: String?
    @State private var isSaving = false

    init(container: Container, use: @escaping @MainActor (Container) -> Void) {
        self.use = use
        texts = container.texts()
        _server = State(initialValue: container.configuration.gitHub.webURL.absoluteString)
    }

    var body: some View {
        Form {
            TextField(texts(.server), text: $server).browseExactInput()
            SecureField(texts(.token), text: $token)
            if let problem { Text(problem).foregroundStyle(.red) }
            Button(texts(.save)) {
                Task { await save() }
            }
        }
        .formStyle(.grouped)
        .disabled(isSaving)
    }

    private func save() async {
        isSaving = true
        defer { isSaving = false }
        guard let configuration = Configuration(server: server) else {
            problem = texts(.noServer)
            return
        }
        let container = Container.app(configuration)
        if !token.isEmpty {
            let signIn = container.gitHubSignInViewModel()
            await signIn.signIn(withToken: token)
            problem = signIn.state.message?.text
            if problem != nil { return }
        }
        UserDefaults.app.set(configuration.gitHub.webURL.absoluteString, forKey: "server")
        use(container)
    }
}

nonisolated extension Phrase {
    fileprivate static let server = Phrase("settings.server", "Server", ko: "서버")
    fileprivate static let token = Phrase("settings.token", "Token", ko: "토큰")
    fileprivate static let save = Phrase("settings.save", "Save", ko: "저장")
    fileprivate static let noServer = Phrase(
        "settings.noServer",
        "Enter an address such as https://github.com.",
        ko: "https://github.com과 같은 주소를 입력하십시오."
    )
}

#Preview("Settings") {
    SettingsForm(container: .offline()) { _ in }
}
