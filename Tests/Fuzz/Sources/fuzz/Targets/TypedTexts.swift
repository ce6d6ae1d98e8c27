import BrowseAppStoreDomain
import BrowseDomain
import BrowseGitHubDomain

/// Typed and pasted text: a valid value is valid again, and unchanged.
@Sendable func typedTexts(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    appReference(text)
    if let username = try? GitHub.Username(text) {
        require((try? GitHub.Username(username.description)) == username, "\(username) is valid again")
        require((1...39).contains(username.description.utf8.count), "a username is short")
    }
    if let search = try? GitHub.SearchText(text) {
        require((try? GitHub.SearchText(search.text)) == search, "\(search) is valid again")
        require(!search.text.isEmpty, "a search text isn't blank")
    }
    if let term = try? AppStore.SearchTerm(text) {
        require((try? AppStore.SearchTerm(term.text)) == term, "\(term) is valid again")
    }
    if let country = try? AppStore.Country(text) {
        require((try? AppStore.Country(country.code)) == country, "\(country) is valid again")
        require(country.code.utf8.count == 2, "a country has two letters")
    }
    if let language = try? AppStore.Language(text) {
        require((try? AppStore.Language(language.code)) == language, "\(language) is valid again")
        require(language.code.utf8.count == 5, "a language has five letters")
    }
    if let secret = try? Secret(text) {
        require("\(secret)" == "***", "a secret is not shown")
    }
}

private func appReference(_ text: String) {
    switch try? AppStore.AppReference(text) {
    case .id(let id):
        require(id.number > 0, "an app ID is positive")
        require(AppStore.AppID(id.description) == id, "\(id) is read again")
        require((try? AppStore.AppReference("\(id.number)")) == .id(AppStore.AppID(id.number)), "\(id) is valid again")
        // As bytes, since an invisible mark combines with the last digit.
        require(text.utf8.firstRange(of: "\(id.number)".utf8) != nil || text.contains("0"), "\(id) is in the text")
    case .bundleID(let bundleID):
        require((try? AppStore.AppReference(bundleID.rawValue)) == .bundleID(bundleID), "\(bundleID) is valid again")
        require(bundleID.rawValue.utf8.count <= 255, "a bundle ID is short")
        require(bundleID.rawValue.utf8.allSatisfy { (0x2D...0x7A).contains($0) }, "a bundle ID is ASCII")
    case nil:
        break
    }
}
