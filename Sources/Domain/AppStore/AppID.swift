extension AppStore {
    /// The shop's number for an app, the same in every country.
    public struct AppID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// Why a text is no number of an app, nor a link to one.
        public typealias Refusal = AppReference.Refusal

        /// The number; it needs 64 bits, and has about ten digits today.
        public let rawValue: Int64

        /// Takes the number that the shop gave.
        public init(rawValue: Int64) {
            self.rawValue = rawValue
        }

        /// Reads a number, or a link to an app; white space around it does not count.
        ///
        /// A link is one of `apps.apple.com` or `itunes.apple.com`, of any country, with or without a scheme. Its last path
        /// segment of the form `id123` counts; what stands behind `?` or `#` does not.
        ///
        /// - Throws: ``Refusal`` with the first reason that applies, in the order of its cases.
        public init(_ typed: String) throws(Refusal) {
            let text = try typed.checkedForInvisibles()
            rawValue = Self.isLink(text) ? try Self.number(inLink: text) : try Self.number(text[...])
        }

        /// The number in digits.
        public var description: String { String(rawValue) }
    }
}

extension AppStore.AppID {
    private static let hosts: Set<String> = ["apps.apple.com", "itunes.apple.com"]
    /// Those that lead into the shop; the others of the web and of the system lead somewhere else.
    private static let schemes: Set<String> = [
        "https", "http", "itms-apps", "itms-appss", "macappstore", "macappstores",
    ]

    /// Whether a text is meant as a link, good or bad.
    static func isLink(_ text: String) -> Bool {
        text.contains("/") || hosts.contains(text.lowercased())
    }

    private static func number(inLink text: String) throws(Refusal) -> Int64 {
        // By hand: a link with a name in Korean, or with a stray space, is no `URL` everywhere, and it is never opened.
        var rest = text[...]
        var scheme = "https"
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
            scheme = rest[..<colon].lowercased()
            rest = rest[colon...].dropFirst(3)
        } else if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
        }
        let authority = rest.prefix { !"/?#".contains($0) }
        // What stands before an "@" is a user's name, made to look like a host.
        let address = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let parts = address.lowercased().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let host = parts.first.map(String.init) ?? ""
        guard hosts.contains(host), schemes.contains(scheme), address == authority else {
            throw .foreignLink(host: host)
        }
        let path = rest.dropFirst(authority.count).prefix { !"?#".contains($0) }
        // An app may be called "id7", and its name stands before its number.
        let candidates = path.split(separator: "/").filter {
            $0.hasPrefix("id") && $0.dropFirst(2).first?.isNumber == true
        }
        guard let last = candidates.last else { throw .noIDInLink }
        let best = candidates.last { $0.dropFirst(2).allSatisfy(isDigit) } ?? last
        return try number(best.dropFirst(2))
    }

    private static func number(_ text: Substring) throws(Refusal) -> Int64 {
        if let character = text.first(where: { !isDigit($0) }) { throw .characterNotAllowed(character) }
        guard let number = Int64(text), number > 0 else { throw .outOfRange }
        return number
    }

    /// Digits of ASCII alone: those of other scripts are not what the shop counts in.
    private static func isDigit(_ character: Character) -> Bool {
        character.unicodeScalars.count == 1 && ("0"..."9").contains(character)
    }
}
