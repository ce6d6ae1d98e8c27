import BrowseCoreMocks

/// A file with a page of an account's list, such as `repos-mona-2`.
struct FixturePage {
    let name: String
    /// The word that begins the name.
    let kind: String
    /// The account, in lowercase.
    let login: String
    /// 1 if the name has none.
    private let number: Int

    private init?(_ name: String) {
        // Some old logins end in a hyphen, or have two in a row.
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        let number = Int(parts.last ?? "")
        login = parts.dropFirst().dropLast(number == nil ? 0 : 1).joined(separator: "-").lowercased()
        guard login.contains(where: { $0 != "-" }) else { return nil }
        kind = String(parts[0])
        self.name = name
        self.number = number ?? 1
    }

    /// Returns the pages of some kinds of lists, by their numbers, and then in the order of the
    /// kinds.
    ///
    /// - Throws: `Fixtures.Unreadable` if two files have the same page, of which one was meant to
    ///   be replaced.
    static func all(of kinds: [String], in files: Fixtures) throws(Fixtures.Unreadable) -> [FixturePage] {
        var pages: [[String]: FixturePage] = [:]
        for name in files.names {
            guard let page = FixturePage(name), kinds.contains(page.kind) else { continue }
            let other = pages.updateValue(page, forKey: [page.kind, page.login, "\(page.number)"])
            guard let other else { continue }
            let problem = "\(name) has the same page as \(other.name)."
            throw Fixtures.Unreadable(description: "\(problem) Give it another number, or the same name to replace it.")
        }
        func place(_ page: FixturePage) -> (Int, Int, String) {
            (page.number, kinds.firstIndex(of: page.kind) ?? 0, page.name)
        }
        return pages.values.sorted { place($0) < place($1) }
    }
}
