import BrowseKit
import Foundation

extension Session {
    /// Returns the repository of a text: OWNER/NAME, or the address of a page or a clone.
    func repo(_ text: String) -> (name: String, owner: GitHub.Login)? {
        let scheme = text.firstRange(of: "://")
        var path = scheme.map { text[$0.upperBound...] } ?? text[...]
        if let user = path.prefix(while: { $0 != "/" }).lastIndex(of: "@") {
            path = path[user...].dropFirst()
            // `git@github.com:octocat/tea.git`
            if scheme == nil { path = path.replacing(":", with: "/", maxReplacements: 1) }
        }
        var segments = path.prefix { !"?#".contains($0) }.split(separator: "/")
        let host = container.configuration.gitHub.webURL.host()?.lowercased() ?? ""
        let start = segments.first?.prefix { $0 != ":" }.lowercased() ?? ""
        let isAddress = start == host || start == "www." + host
        if isAddress { segments.removeFirst() }
        // Of an address, the path can lead to a page in the repository, or to another page of an account.
        guard isAddress ? segments.count >= 2 : segments.count == 2 && scheme == nil,
            !isAddress || !["orgs", "organizations", "sponsors", "stars", "users"].contains(segments[0].lowercased())
        else { return nil }
        let name = segments[1].hasSuffix(".git") ? segments[1].dropLast(4) : segments[1]
        return (String(name), GitHub.Login(String(segments[0])))
    }
}
