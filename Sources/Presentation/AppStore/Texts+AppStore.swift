import BrowseAppStoreDomain
import BrowseDomain
import BrowsePresentation
import Foundation

extension Texts {
    /// Returns a size in the reader's units, or the text for a missing one.
    func size(_ bytes: Int64?) -> String {
        guard let bytes, bytes >= 0 else { return self(.notStated) }
        return formats.size(bytes)
    }

    /// Returns the store's text for a price, a localized price, or the text for a missing one.
    func price(_ price: AppStore.App.Price?) -> String {
        guard let price else { return self(.notStated) }
        if let text = price.text { return text }
        guard let amount = price.amount else { return self(.notStated) }
        return amount == 0 ? self(.free) : formats.price(amount, currency: price.currency)
    }

    /// Returns the localized names of languages, the reader's own first.
    func languageNames(_ codes: [String]) -> [String] {
        let own = codes.filter { $0 == language.rawValue }
        return (own + codes.filter { $0 != language.rawValue }).map(formats.languageName)
    }
}
