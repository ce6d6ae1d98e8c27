import Accessibility
import AuthenticationServices
import BrowseKit
import BrowseSwiftUI
import Foundation
import SwiftUI

/// The sheet where a person signs in: in the system's browser, or by a code on another device.
struct SignInView: View {
    private let callback: ASWebAuthenticationSession.Callback?
    @State private var model: SignInViewModel<GitHub.User>
    /// The task of the browser; `nil` while none is open.
    @State private var browser: Task<Void, Never>?
    @Environment(\.webAuthenticationSession) private var webAuthenticationSession
    @Environment(\.dismiss) private var dismiss
    @Environment(\.texts) private var texts

    init(container: Container) {
        let app = container.configuration.gitHub.app
        // Without the app's secret, signing in by browser fails.
        callback = app?.clientSecret == nil ? nil : app?.redirect.flatMap(Self.callback)
        _model = State(initialValue: container.gitHubSignInViewModel())
    }

    var body: some View {
        NavigationStack {
            Form {
                status
            }
            .formStyle(.grouped)
            .navigationTitle(texts(.signIn))
            .toolbar {
                ToolbarItem(placement: .cancellationAction) {
                    Button(texts(.cancel), role: .cancel) {
                        // Closes the browser, which is a window of its own on a Mac.
                        browser?.cancel()
                        model.cancel()
                        dismiss()
                    }
                }
            }
        }
        .interactiveDismissDisabled(browser != nil)
        .onChange(of: isSignedIn) { dismiss() }
        .onChange(of: model.state) {
            switch model.state {
            case .waitingForCode(let prompt):
                AccessibilityNotification.Announcement(prompt.problem?.text ?? prompt.text).post()
            case .failed(let message), .signedOut(let message): message.announce()
            case .idle, .askingForCode, .waitingForBrowser, .signingIn, .signedIn: break
            }
        }
        // Ends the requests for the code, too. A browser may cover the sheet, which then continues.
        .onDisappear { if browser == nil, !isSignedIn { model.cancel() } }
    }

    /// A redirect over HTTPS needs the domain in the app's Associated Domains entitlement.
    private static func callback(for redirect: URL) -> ASWebAuthenticationSession.Callback? {
        guard redirect.scheme == "https" else { return redirect.scheme.map { .customScheme($0) } }
        return redirect.host().map { .https(host: $0, path: redirect.path()) }
    }

    private var isSignedIn: Bool {
        if case .signedIn = model.state { true } else { false }
    }

    @ViewBuilder private var status: some View {
        switch model.state {
        case .idle:
            buttons
        case .failed(let message), .signedOut(let message):
            Section {
                Label(message.title, systemImage: "exclamationmark.triangle")
                Text(message.text)
            }
            buttons
        case .waitingForCode(let prompt):
            Section {
                Text(prompt.userCode)
                    .font(.largeTitle.monospaced())
                    .lineLimit(1)
                    .minimumScaleFactor(0.5)
                    .textSelection(.enabled)
                    .speechSpellsOutCharacters()
                if let page = prompt.page.url { Link(page.absoluteString, destination: page) }
                if let problem = prompt.problem { Label(problem.text, systemImage: "exclamationmark.triangle") }
            } footer: {
                Text(prompt.text)
            }
        case .askingForCode, .waitingForBrowser, .signingIn, .signedIn:
            ProgressView().frame(maxWidth: .infinity)
        }
    }

    private var buttons: some View {
        Section {
            if let callback {
                Button(texts(.signInByBrowser)) {
                    browser = Task {
                        await signIn(callback)
                        browser = nil
                    }
                }
            }
            Button(texts(.signInByCode)) {
                Task { await model.signInByCode() }
            }
        }
    }

    private func signIn(_ callback: ASWebAuthenticationSession.Callback) async {
        guard case .webPage(let page) = model.signInByBrowser(), let url = page.url else { return }
        do {
            let answer = try await webAuthenticationSession.authenticate(
                using: url,
                callback: callback,
                additionalHeaderFields: [:]
            )
            // The browser session has ended, so no other URL follows one that is ignored.
            if await !model.finishSignIn(with: answer) { model.cancel() }
        } catch let error as ASWebAuthenticationSessionError where error.code == .canceledLogin {
            model.cancel()
        } catch {
            // Does nothing after canceling.
            model.browserFailed()
        }
    }
}
