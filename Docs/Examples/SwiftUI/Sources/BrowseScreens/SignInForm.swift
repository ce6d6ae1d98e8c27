import Accessibility
import AuthenticationServices
import BrowseKit
import BrowseSwiftUI
import Foundation
import SwiftUI

/// A form that signs in to any service: in the system's browser, or by a code on another device.
struct SignInForm<User: SessionUser>: View {
    private let texts: Texts
    /// The redirect of the app; `nil` offers no browser.
    private let callback: ASWebAuthenticationSession.Callback?
    private let offersCode: Bool
    @State private var model: SignInViewModel<User>
    /// The task of the browser; `nil` while none is open.
    @State private var browser: Task<Void, Never>?
    @Environment(\.webAuthenticationSession) private var webAuthenticationSession
    @Environment(\.dismiss) private var dismiss

    init(
        _ model: SignInViewModel<User>,
        container: Container,
        callback: ASWebAuthenticationSession.Callback? = nil,
        offersCode: Bool = true
    ) {
        texts = container.texts()
        self.callback = callback
        self.offersCode = offersCode
        _model = State(initialValue: model)
    }

    var body: some View {
        NavigationStack {
            Form { status }
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
        .onChange(of: model.state) {
            switch model.state {
            case .waitingForCode(let prompt):
                AccessibilityNotification.Announcement(prompt.problem?.text ?? prompt.text).post()
            case .failed(let message), .signedOut(let message): message.announce()
            case .signedIn: dismiss()
            case .idle, .askingForCode, .waitingForBrowser, .signingIn: break
            }
        }
        .onDisappear {
            if case .signedIn = model.state { return }
            // A browser may cover the form, which then continues.
            if browser == nil { model.cancel() }
        }
    }

    @ViewBuilder private var status: some View {
        switch model.state {
        case .idle:
            buttons
        case .failed(let message), .signedOut(let message):
            Label(message.title, systemImage: "exclamationmark.triangle")
            Text(message.text)
            buttons
        case .waitingForCode(let prompt):
            Text(prompt.userCode).font(.largeTitle.monospaced()).lineLimit(1).minimumScaleFactor(0.5)
                .textSelection(.enabled).speechSpellsOutCharacters()
            if let page = prompt.page.url { Link(page.absoluteString, destination: page) }
            Text(prompt.problem?.text ?? prompt.text)
        case .askingForCode, .waitingForBrowser, .signingIn, .signedIn:
            ProgressView().frame(maxWidth: .infinity)
        }
    }

    @ViewBuilder private var buttons: some View {
        if let callback {
            Button(texts(.signInByBrowser)) {
                browser = Task {
                    await signIn(callback)
                    browser = nil
                }
            }
        }
        if offersCode {
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

nonisolated extension Phrase {
    fileprivate static let signInByBrowser = Phrase("views.signInByBrowser", "Continue in Browser", ko: "브라우저에서 계속하기")
    fileprivate static let signInByCode = Phrase("views.signInByCode", "Sign In on Another Device", ko: "다른 기기에서 로그인")
}
