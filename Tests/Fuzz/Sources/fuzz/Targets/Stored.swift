@testable import BrowseData
import BrowseDomain
import Foundation

/// What this device stored, and somebody or something may have changed: credentials, and the details of favourites.
@Sendable func stored(_ input: [UInt8]) {
    let data = Data(input)
    if let credentials = try? CredentialsRecord.credentials(from: data, for: "https://api.example") {
        checkStoring(credentials)
    }
    for kind in Favorite.Kind.allCases {
        let record = FavoriteRecord(
            id: Favorite.ID(kind: kind, number: 7),
            name: "name",
            picture: "https://picture.example",
            page: nil,
            detail: data
        )
        if let favorite = record.favorite { checkStoring(favorite) }
    }
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

/// A favourite shows the same when it comes out of the store again.
func checkStoring(_ favorite: Favorite) {
    guard let read = FavoriteRecord(favorite).favorite else {
        require(false, "a favourite can be read again: \(favorite)")
        return
    }
    // A fraction of a second may be rounded, and is not in the description.
    require(read == favorite || "\(read)" == "\(favorite)", "\(read) is stored as \(favorite) was")
}

private func isSame(_ one: Date?, _ other: Date?) -> Bool {
    guard let one, let other else { return one == other }
    let distance = abs(one.timeIntervalSince(other))
    return distance < 0.001 || distance < abs(one.timeIntervalSinceReferenceDate) * 1e-12
}
