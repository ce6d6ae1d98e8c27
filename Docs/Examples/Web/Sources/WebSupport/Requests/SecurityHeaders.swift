public import HTTPTypes

/// The header fields that limit what a browser does with a response.
///
/// Pages contain foreign text. If one was not escaped, the content security policy keeps it from running: scripts and styles
/// come from this server only, never from the page, and `app.js` can create HTML only through one named policy.
public struct SecurityHeaders: Sendable {
    /// The fields for every response.
    public let fields: HTTPFields

    /// Creates the fields.
    ///
    /// - Parameters:
    ///   - formTargets: Origins to which forms may lead besides this server. Chrome also checks the redirects of a form, so a
    ///     form that starts a sign-in needs the origin of the authorization page.
    ///   - isOnHTTPS: Whether the server is reached by https only. Then browsers never use plain http again.
    public init(formTargets: [String] = [], isOnHTTPS: Bool = false) {
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
            "font-src 'self'", "manifest-src 'self'", "base-uri 'none'", "frame-ancestors 'none'",
            "form-action \((["'self'"] + formTargets).joined(separator: " "))",
            "require-trusted-types-for 'script'", "trusted-types fragments",
        ]
        let features = ["camera", "geolocation", "microphone", "payment", "usb", "browsing-topics"]
        var fields: HTTPFields = [
            .contentSecurityPolicy: policy.joined(separator: "; "),
            .xContentTypeOptions: "nosniff",
            .parsed("Referrer-Policy"): "same-origin",
            .parsed("Permissions-Policy"): features.map { "\($0)=()" }.joined(separator: ", "),
            .parsed("Cross-Origin-Opener-Policy"): "same-origin",
            .parsed("Cross-Origin-Resource-Policy"): "same-origin",
        ]
        if isOnHTTPS { fields[.strictTransportSecurity] = "max-age=31536000" }
        self.fields = fields
    }

    /// Adds the fields to a response; those that are already there are replaced.
    public func apply(to fields: inout HTTPFields) {
        for field in self.fields { fields[field.name] = field.value }
    }
}
