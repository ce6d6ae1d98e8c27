// Declarations of Apple's AuthenticationServices, from developer.apple.com/documentation/authenticationservices.
//
// The environment value is in a module that the compiler imports with SwiftUI and this one.

public import Foundation
public import SwiftUI

@MainActor
open class ASWebAuthenticationSession: NSObject {
    open class Callback: NSObject {
        open class func customScheme(_ customScheme: String) -> Self { standIn() }
        open class func https(host: String, path: String) -> Self { standIn() }
    }
}

/// An error of Objective-C with its codes.
public struct ASWebAuthenticationSessionError: Error {
    public enum Code: Int, Sendable { case canceledLogin = 1, presentationContextNotProvided, presentationContextInvalid }
    public var code: Code { standIn() }
}

@MainActor
public struct WebAuthenticationSession {
    public struct BrowserSession: Sendable {
        public static let ephemeral: BrowserSession = { standIn() }()
    }

    @MainActor
    public func authenticate(
        using url: URL,
        callback: ASWebAuthenticationSession.Callback,
        preferredBrowserSession: WebAuthenticationSession.BrowserSession? = nil,
        additionalHeaderFields: [String: String]
    ) async throws -> URL { standIn() }
}

extension EnvironmentValues {
    public var webAuthenticationSession: WebAuthenticationSession { standIn() }
}

nonisolated func standIn() -> Never { fatalError() }
