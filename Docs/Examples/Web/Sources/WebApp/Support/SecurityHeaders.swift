import HTTPTypes

extension HTTPFields {
    /// Returns the fields of every response, which limit what a browser does with it.
    ///
    /// Pages contain foreign text. If one was not escaped, the content security policy keeps it from running: scripts and styles
    /// come from this server only, never from the page, and `app.js` can create HTML only through one named policy.
    static func security(isOnHTTPS: Bool = false) -> HTTPFields {
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
            "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'",
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
        return fields
    }
}
