import BrowseDomain

extension SecretRedactor {
    func add(_ credentials: Credentials) {
        if let refreshToken = credentials.refreshToken { add(refreshToken) }
        add(credentials.token)
    }
}
