import AuthenticationServices
import BrowseKit
import BrowseMocks
import Foundation
import SwiftUI

/// A form that signs in to any service; the page "Build a SwiftUI app" shows it.
struct SignInForm<User: SessionUser>: View {
    /// The redirect of the app; `nil` offers no browser.
    private let callback: ASWebAuthenticationSession.Callback?
    @State private var model: SignInViewModel<User>
    /// The task of the browser; `nil` while none is open.
    @State private var browser: Task<Void, Never>?
    @Environment(\.webAuthenticationSession) private var webAuthenticationSession
    @Environment(\.dismiss) private var dismiss

    init(_ model: SignInViewModel<User>, callback: ASWebAuthenticationSession.Callback? = nil) {
        self.callback = callback
        _model = State(initialValue: model)
    }

    var body: some View {
        Form {
            switch model.state {
            case .idle:
                buttons
            case .failed(let message), .signedOut(let message):
                Text(message.title).font(.headline)
                Text(message.text)
                buttons
            case .waitingForCode(let prompt):
                Text(prompt.userCode).font(.largeTitle.monospaced()).textSelection(.enabled)
                if let page = prompt.page.url { Link(page.absoluteString, destination: page) }
                Text(prompt.problem?.text ?? prompt.text)
            case .askingForCode, .waitingForBrowser, .signingIn, .signedIn:
                ProgressView()
            }
            Button("Cancel", role: .cancel) {
                // Closes the browser, which is a window of its own on a Mac.
                browser?.cancel()
                model.cancel()
                dismiss()
            }
        }
        .interactiveDismissDisabled(browser != nil)
        .onChange(of: model.state) {
            if case .signedIn = model.state { dismiss() }
        }
        .onDisappear {
            if case .signedIn = model.state { return }
            // A browser may cover the form, which then continues.
            if browser == nil { model.cancel() }
        }
    }

    @ViewBuilder private var buttons: some View {
        if let callback {
            Button("Sign In") {
                browser = Task {
                    await signIn(callback)
                    browser = nil
                }
            }
        }
        Button("Sign In on Another Device") {
            Task { await model.signInByCode() }
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

#Preview("Sign-in form") {
    SignInForm(Container.offline().gitHubSignInViewModel())
}
