/// The name of a file with a page of an account's list, such as `repos-mona-2`.
struct FixturePageName {
    /// The word that begins the name.
    let kind: String
    /// The account, in lowercase.
    let login: String
    /// The number of the page; 1 if the name has none.
    let number: Int

    init?(_ name: String) {
        let parts = name.split(separator: "-")
        let number = Int(parts.last ?? "")
        login = parts.dropFirst().dropLast(number == nil ? 0 : 1).joined(separator: "-").lowercased()
        guard !login.isEmpty else { return nil }
        kind = String(parts[0])
        self.number = number ?? 1
    }
}
