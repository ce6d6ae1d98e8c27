import AuthenticationServices
import BrowseKit
import Foundation
import SwiftUI

/// The sheet where a person signs in to GitHub.
struct SignInView: View {
    let container: Container

    var body: some View {
        SignInForm(container.gitHubSignInViewModel(), container: container, callback: callback)
    }

    private var callback: ASWebAuthenticationSession.Callback? {
        // Without the app's secret, signing in by browser fails.
        guard let app = container.configuration.gitHub.app, app.clientSecret != nil, let redirect = app.redirect else {
            return nil
        }
        // A redirect over HTTPS needs the domain in the app's Associated Domains entitlement.
        guard redirect.scheme == "https" else { return redirect.scheme.map { .customScheme($0) } }
        return redirect.host().map { .https(host: $0, path: redirect.path()) }
    }
}
