@_spi(Services) import BrowseDomain

extension AppStore {
    /// A country's two-letter ISO 3166-1 code.
    public struct Country: Hashable, Codable, Sendable, CustomStringConvertible {
        /// The United States, the service's default.
        public static let unitedStates: Country = Country(checked: "us")
        /// South Korea.
        package static let southKorea: Country = Country(checked: "kr")

        /// The two letters in lowercase, as in the store's links.
        public let code: String

        /// Validates a code in any case; the country may still have no store.
        ///
        /// - Throws: ``ValidationError``.
        public init(_ code: String) throws(ValidationError) {
            guard code.isTwoLetters else { throw .notTwoLetters }
            self.code = code.lowercased()
        }

        private init(checked code: String) { self.code = code }

        /// Decodes and validates a code.
        public init(from decoder: any Decoder) throws {
            try self.init(decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .code))
        }

        /// The two letters.
        public var description: String { code }

        /// The reason why a string isn't a country code.
        public enum ValidationError: Error, Hashable, Sendable {
            /// The text isn't two ASCII letters.
            case notTwoLetters
        }
    }
}

extension AppStore.Country {
    /// Returns the country whose store serves a region; `nil` for a code of no region with one.
    ///
    /// It's for regions of locales, and for codes in links. A country that an app sets is sent as
    /// it is.
    ///
    /// - Parameter region: A code in any case; `uk` is the United Kingdom.
    public static func serving(_ region: String) -> AppStore.Country? {
        stores[region.lowercased()].flatMap { try? AppStore.Country($0) }
    }

    /// The countries and regions with a store, and the store of those that belong to one of them.
    ///
    /// `uk` isn't a code of ISO 3166-1. Source: Apple's "App Store Connect Help: App Store
    /// localizations", 175 storefronts.
    private static let stores = Dictionary(
        """
            ae af ag ai al am ao ar at au az ba bb be bf bg bh bj bm bn bo br bs bt bw by bz ca cd cg ch ci cl cm cn co
            cr cv cy cz de dk dm do dz ec ee eg es fi fj fm fr ga gb gd ge gh gm gr gt gw gy hk hn hr hu id ie il in iq
            is it jm jo jp ke kg kh kn kr kw ky kz la lb lc lk lr lt lu lv ly ma md me mg mk ml mm mn mo mr ms mt mu mv
            mw mx my mz na ne ng ni nl no np nr nz om pa pe pg ph pk pl pt pw py qa ro rs ru rw sa sb sc se sg si sk sl
            sn sr st sv sz tc td th tj tm tn to tr tt tw tz ua ug us uy uz vc ve vg vn vu xk ye za zm zw
            ax=fi bl=fr ea=es fo=dk gf=fr gg=gb gi=gb gl=dk gp=fr ic=es im=gb je=gb mf=fr mq=fr re=fr sj=no uk=gb yt=fr
        """
        .split(whereSeparator: \.isWhitespace).map { (String($0.prefix(2)), String($0.suffix(2))) }
    ) { $1 }
}

extension StringProtocol {
    /// Whether this is exactly two ASCII letters.
    var isTwoLetters: Bool { utf8.count == 2 && utf8.allSatisfy(\.isASCIILetter) }
}
