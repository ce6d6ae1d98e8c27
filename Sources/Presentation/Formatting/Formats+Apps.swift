public import BrowseDomain
public import Foundation

extension Formats {
    /// The average with one decimal, rounded down: 4.7 for 4.75.
    public func rating(_ rating: AppStore.Rating) -> String {
        // The tenths are rounded already, so that the style has nothing left to round.
        (Double(rating.tenths) / 10).formatted(.number.precision(.fractionLength(1)).locale(locale))
    }

    /// A size in the reader's units: 124.7 MB.
    ///
    /// - Parameter bytes: 0 or more.
    public func size(_ bytes: Int64) -> String {
        // The style's own zero is a word in English, beside digits everywhere else.
        let style = ByteCountFormatStyle(
            style: .file,
            allowedUnits: .all,
            spellsOutZero: false,
            includesActualByteCount: false,
            locale: locale
        )
        return bytes.formatted(style)
    }

    /// The name of a language: French, 프랑스어; its code in upper case when it has no name.
    ///
    /// - Parameter code: Of ISO 639-1, in any case.
    public func languageName(_ code: String) -> String {
        locale.localizedString(forLanguageCode: code.lowercased()) ?? code.uppercased()
    }

    /// Words in a row: a, b, and c.
    public func list(_ words: [String]) -> String {
        words.formatted(.list(type: .and).locale(locale))
    }

    /// An amount of money: $4.99.
    ///
    /// - Parameters:
    ///   - amount: How much.
    ///   - currency: The currency's code in ISO 4217; without one the amount stands alone.
    public func price(_ amount: Decimal, currency: String?) -> String {
        guard let currency else { return amount.formatted(.number.locale(locale)) }
        return amount.formatted(.currency(code: currency).locale(locale))
    }
}
