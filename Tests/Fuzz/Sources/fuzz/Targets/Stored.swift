import BrowseAppStoreDomain
@testable import BrowseData
@_spi(Services) import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import BrowseRickAndMortyDomain
import Foundation

private let session = SessionName("Service", at: URL(filePath: "/"))

/// Stored credentials and payloads of favorites, which may be damaged or manipulated.
@Sendable func stored(_ input: [UInt8]) {
    let data = Data(input)
    if let credentials = try? CredentialsCoder(name: session).decode(data) {
        checkStoring(credentials)
    }
    checkReading(data, as: GitHub.User.self)
    checkReading(data, as: GitHub.Repo.self)
    checkReading(data, as: RickAndMorty.Character.self)
    checkReading(data, as: AppStore.App.self)
}

/// Checks that a decoded entity is the same after it's stored again.
private func checkReading<Value: Favoritable & Equatable>(_ data: Data, as type: Value.Type) {
    guard let value = try? Value.favorite(from: Favorite.Payload(version: Value.favoriteVersion, data: data)) else {
        return
    }
    checkStoring(value)
}

/// Checks that credentials are the same after storing them.
func checkStoring(_ credentials: Credentials) {
    let coder = CredentialsCoder(name: session)
    guard let data = try? coder.encode(credentials) else {
        require(false, "credentials can be stored")
        return
    }
    guard let read = try? coder.decode(data) else {
        require(false, "credentials can be read again")
        return
    }
    var (old, new) = (credentials, read)
    // Fractions of a second may be rounded.
    require(isSame(old.expiresAt, new.expiresAt), "the expiration of a token is unchanged")
    require(isSame(old.issuedAt, new.issuedAt), "the time of issuance is unchanged")
    for path in [\Credentials.expiresAt, \.issuedAt] {
        old[keyPath: path] = nil
        new[keyPath: path] = nil
    }
    // It's about the response, for the session that receives it.
    old.hasUnusableRefreshToken = false
    require(old == new, "stored credentials are the same")
}

/// Checks that an entity is the same after storing it.
func checkStoring<Value: Favoritable & Equatable>(_ value: Value) {
    guard let payload = Favorite(value).payload, let read = try? Value.favorite(from: payload) else {
        require(false, "a favorite can be read again: \(value)")
        return
    }
    // NaN isn't equal to itself.
    require(read == value || "\(read)" == "\(value)", "\(read) is the same as \(value)")
}

private func isSame(_ one: Date?, _ other: Date?) -> Bool {
    guard let one, let other else { return one == other }
    let distance = abs(one.timeIntervalSince(other))
    return distance < 0.001 || distance < abs(one.timeIntervalSinceReferenceDate) * 1e-12
}
