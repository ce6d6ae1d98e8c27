@testable import BrowseData
import BrowseDomain
import Foundation

/// What this device stored, and somebody or something may have changed: credentials, and the details of favorites.
@Sendable func stored(_ input: [UInt8]) {
    let data = Data(input)
    if let credentials = try? CredentialsRecord.credentials(from: data, for: "https://api.example") {
        checkStoring(credentials)
    }
    checkReading(data, as: GitHub.User.self)
    checkReading(data, as: GitHub.Repo.self)
    checkReading(data, as: RickAndMorty.Character.self)
    checkReading(data, as: AppStore.App.self)
}

/// Whatever is stored, an entity that can be read from it is the same when it's stored again.
private func checkReading<Value: Favoritable & Equatable>(_ data: Data, as type: Value.Type) {
    guard let value = try? Value.favorite(from: Favorite.Payload(version: Value.favoriteVersion, data: data)) else {
        return
    }
    checkStoring(value)
}

/// Credentials are the same when they come out of the store again.
func checkStoring(_ credentials: GitHub.Credentials) {
    let server = "https://api.example"
    guard let data = try? CredentialsRecord(credentials, for: server).encoded() else {
        require(false, "credentials can be stored")
        return
    }
    guard let read = try? CredentialsRecord.credentials(from: data, for: server) else {
        require(false, "credentials can be read again")
        return
    }
    var (old, new) = (credentials, read)
    // A fraction of a second may be rounded.
    require(isSame(old.expiresAt, new.expiresAt), "a token ends when it ended")
    require(isSame(old.refreshExpiresAt, new.refreshExpiresAt), "a refresh token ends when it ended")
    for path in [\GitHub.Credentials.expiresAt, \.refreshExpiresAt] {
        old[keyPath: path] = nil
        new[keyPath: path] = nil
    }
    require(old == new, "stored credentials are the same")
}

/// An entity is the same when it comes out of the store again.
func checkStoring<Value: Favoritable & Equatable>(_ value: Value) {
    guard let payload = Favorite(value).payload, let read = try? Value.favorite(from: payload) else {
        require(false, "a favorite can be read again: \(value)")
        return
    }
    // A number that isn't one equals nothing.
    require(read == value || "\(read)" == "\(value)", "\(read) is stored as \(value) was")
}

private func isSame(_ one: Date?, _ other: Date?) -> Bool {
    guard let one, let other else { return one == other }
    let distance = abs(one.timeIntervalSince(other))
    return distance < 0.001 || distance < abs(one.timeIntervalSinceReferenceDate) * 1e-12
}
