@_spi(Services) import BrowseDomain
import Foundation

/// The address of an account, or of something that belongs to it, in pasted text.
///
/// Understood are addresses of the website, of gists, raw files, and Git remotes, with or without a
/// scheme, a port, and text around them.
package struct ProfileAddress {
    /// The account's name, not validated yet; empty for the home page, `nil` for other addresses.
    let name: String?
    /// The account; `nil` for an address without one.
    package var login: GitHub.Login? { name.flatMap { $0.isEmpty ? nil : GitHub.Login($0) } }
    /// The repository of the address, or of the page in it; `nil` for other addresses.
    package let repo: (name: String, owner: GitHub.Login)?

    /// Finds the first address of the website; `nil` if the text isn't an address.
    package init?(in text: String, host: String) {
        let words = text.joiningWrappedAddresses.split(whereSeparator: \.isWhitespace).map { $0.trimmedAroundAddress }
        let addresses = words.compactMap { Self.segments(of: $0, host: host.lowercased()) }
        if let segments = addresses.first {
            name = Self.account(in: segments)
            repo = Self.repo(in: segments)
        } else if words.contains(where: { $0.contains("/") }) {
            // No name contains a slash, so this is another address.
            (name, repo) = (nil, nil)
        } else {
            return nil
        }
    }

    /// Returns the segments of the path; `nil` if a word isn't an address of the website.
    private static func segments(of word: Substring, host: String) -> [String]? {
        var rest = word
        var isRemote = true
        if let range = rest.firstRange(of: "://") {
            let scheme = rest[..<range.lowerBound].lowercased()
            guard schemes.contains(scheme) else { return nil }
            isRemote = scheme.hasSuffix("ssh")
            rest = rest[range.upperBound...]
        } else if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
        }
        // Organizations can have a user of their own, as in `org-1@github.com:acme/tea.git`. With
        // http, a token can follow it, as in `https://octocat:token@github.com/acme/tea.git`.
        let user = rest.prefix { !(isRemote ? ":/?#" : "/?#").contains($0) }
        if let at = user.lastIndex(of: "@") { rest = rest[at...].dropFirst() }
        let authority = rest.prefix { !"/?#".contains($0) }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var name = parts.first?.lowercased() ?? ""
        if name.hasSuffix(".") { name.removeLast() }
        // The account in `git@github.com:1/tea.git` isn't a port.
        let isAccount = isRemote && user.startIndex != authority.startIndex && rest.split(separator: "/").count == 2
        let isPort = parts.count < 2 || !isAccount && parts[1].utf8.allSatisfy(\.isASCIIDigit)
        let isWebsite = ["", "www.", "m.", "gist.", "ssh.", "raw.", "codeload."].contains { name == $0 + host }
        let isRawFile = host == "github.com" && ["raw.", "gist."].contains { name == $0 + "githubusercontent.com" }
        // A remote without a scheme has a colon in place of the first slash.
        guard isWebsite || isRawFile, isPort ? authority.count < rest.count : isRemote else { return nil }
        rest = isPort ? rest.dropFirst(authority.count) : rest.dropFirst(parts[0].count + 1)
        var path = rest.prefix { !"?#".contains($0) }.split(separator: "/")
        var isGist = name.hasPrefix("gist.") && name != host
        // A GitHub Enterprise server can have paths in place of subdomains.
        if host != "github.com", path.count > 1, ["gist", "raw", "codeload", "media", "pages"].contains(path[0]) {
            isGist = path.removeFirst() == "gist"
        }
        // The address of an anonymous gist, or of one without its owner, begins with its number.
        let number = path.first?.prefix { $0 != "." } ?? ""
        if isGist, number.utf8.count >= 20, number.allSatisfy(\.isHexDigit) { return ["gist"] }
        // What follows the owner of a gist isn't a repository.
        return path.prefix(isGist ? 1 : 2).map { $0.removingPercentEncoding ?? String($0) }
    }

    private static func account(in segments: [String]) -> String? {
        guard let first = segments.first else { return "" }
        if ownSegments.contains(first.lowercased()) {
            let isOfAccount = ["orgs", "organizations", "users", "stars", "sponsors"].contains(first.lowercased())
            guard isOfAccount, segments.count > 1, !ownSegments.contains(segments[1].lowercased()) else { return nil }
            return segments[1]
        }
        let name = first.hasPrefix("@") ? first.dropFirst() : first[...]
        // Avatars, feeds, and keys have addresses such as `/octocat.png`.
        let isFile = segments.count == 1 && files.contains { name.hasSuffix($0) }
        return isFile ? String(name.prefix { $0 != "." }) : String(name)
    }

    private static func repo(in segments: [String]) -> (name: String, owner: GitHub.Login)? {
        guard segments.count > 1, !ownSegments.contains(segments[0].lowercased()) else { return nil }
        // Remotes end in this, and no name does.
        let name = [".git", ".wiki"].reduce(segments[1]) { $0.hasSuffix($1) ? String($0.dropLast($1.count)) : $0 }
        return (name, GitHub.Login(segments[0]))
    }

    private static let files = [".png", ".atom", ".keys", ".gpg"]
    private static let schemes: Set<String> = ["https", "http", "git", "git+https", "ssh", "git+ssh"]

    /// The first segments of the addresses of GitHub's own pages that people copy.
    ///
    /// No account has them, so others, which GitHub adds all the time, lead to no account either.
    private static let ownSegments: Set<String> = [
        "about", "account", "advisories", "apps", "codespaces", "collections", "contact", "copilot", "customer-stories",
        "dashboard", "discussions", "enterprise", "enterprises", "events", "explore", "features", "feed", "gist",
        "gists", "git-guides", "home", "issues", "join", "login", "logout", "marketplace", "mcp", "new", "newsroom",
        "notifications", "organizations", "orgs", "pricing", "projects", "pulls", "readme", "repos", "search",
        "security", "sessions", "settings", "signup", "site", "sponsors", "stars", "topics", "trending", "users",
        "watching", "why-github",
    ]
}

extension Substring {
    /// The word without characters that belong to the text around an address.
    fileprivate var trimmedAroundAddress: Substring {
        let edges = ".,;:!?()[]{}<>\"'*~|`“”‘’«»…"
        // No address has other characters there, but a particle or a full stop can follow it.
        let isEdge: (Character) -> Bool = { edges.contains($0) || !$0.isASCII }
        guard let last = lastIndex(where: { !isEdge($0) }) else { return self[startIndex..<startIndex] }
        return self[...last].drop(while: isEdge)
    }
}
