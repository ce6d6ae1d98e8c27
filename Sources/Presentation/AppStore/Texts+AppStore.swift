import BrowseAppStoreDomain
import BrowseDomain
import BrowsePresentation
import Foundation

extension Texts {
    /// Returns a size in the reader's units; `nil` if it's missing.
    func size(_ bytes: Int64?) -> String? {
        guard let bytes, bytes >= 0 else { return nil }
        return formats.size(bytes)
    }

    /// Returns the store's text for a price, or a localized price; `nil` if it's missing.
    func price(_ price: AppStore.App.Price?) -> String? {
        guard let price else { return nil }
        if let text = price.text { return text }
        guard let amount = price.amount else { return nil }
        return amount == 0 ? self(.free) : formats.price(amount, currency: price.currency)
    }

    /// Returns the localized names of languages, the reader's own first.
    func languageNames(_ codes: [String]) -> [String] {
        let own = codes.filter { $0 == language.rawValue }
        return (own + codes.filter { $0 != language.rawValue }).map(formats.languageName)
    }
}
