public import BrowseDomain
public import Foundation

extension Formats {
    /// Returns the average with one decimal, rounded down: 4.7 for 4.75.
    public func rating(_ rating: AppStore.Rating) -> String {
        // The tenths are rounded down already; the style must not round them up.
        (Double(rating.tenths) / 10).formatted(.number.precision(.fractionLength(1)).locale(locale))
    }

    /// Returns a size in localized units: 124.7 MB.
    ///
    /// - Parameter bytes: 0 or more.
    public func size(_ bytes: Int64) -> String {
        // The style would spell out zero in English only.
        let style = ByteCountFormatStyle(
            style: .file,
            allowedUnits: .all,
            spellsOutZero: false,
            includesActualByteCount: false,
            locale: locale
        )
        return bytes.formatted(style)
    }

    /// Returns the name of a language, such as French or 프랑스어; its uppercased code if it has no name.
    ///
    /// - Parameter code: The code of ISO 639-1, in any case.
    public func languageName(_ code: String) -> String {
        locale.localizedString(forLanguageCode: code.lowercased()) ?? code.uppercased()
    }

    /// Returns a list of words: a, b, and c.
    public func list(_ words: [String]) -> String {
        words.formatted(.list(type: .and).locale(locale))
    }

    /// Returns an amount of money: $4.99.
    ///
    /// - Parameters:
    ///   - amount: The amount.
    ///   - currency: The code of ISO 4217; `nil` returns the number only.
    public func price(_ amount: Decimal, currency: String?) -> String {
        guard let currency else { return amount.formatted(.number.locale(locale)) }
        return amount.formatted(.currency(code: currency).locale(locale))
    }
}
