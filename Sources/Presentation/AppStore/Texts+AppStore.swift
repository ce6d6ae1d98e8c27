import BrowseDomain
import Foundation

extension Texts {
    /// What is wrong with what a person named an app by.
    func refusal(_ refusal: AppStore.AppReference.ValidationError) -> String {
        switch refusal {
        case .empty: self(.appReferenceEmpty)
        case .invisibleCharacter(let scalar): self(.appReferenceInvisible(scalar))
        // A host has at most 253 characters, and what stands in place of one any number.
        case .foreignLink(let host): self(.appLinkForeign(host: String(host.prefix(60))))
        case .noIDInLink: self(.appLinkWithoutID)
        case .characterNotAllowed(let character): self(.appReferenceCharacter(character))
        case .outOfRange: self(.appNumberOutOfRange)
        case .incompleteBundleID: self(.bundleIDIncomplete)
        case .tooLong(let excess): self(.bundleIDTooLong(by: excess))
        case .name: self(.appReferenceName)
        }
    }

    /// A size in the reader's units, or that none is stated.
    func size(_ bytes: Int64?) -> String {
        guard let bytes, bytes >= 0 else { return self(.notStated) }
        return formats.size(bytes)
    }

    /// A price as the shop writes it, or as the reader would; or that none is stated.
    func price(_ price: AppStore.App.Price?) -> String {
        guard let price else { return self(.notStated) }
        if let text = price.text { return text }
        guard let amount = price.amount else { return self(.notStated) }
        return amount == 0 ? self(.free) : formats.price(amount, currency: price.currency)
    }

    /// The names of languages, the reader's own first; none when there are none.
    func languageNames(_ codes: [String]) -> [String] {
        let own = codes.filter { $0 == language.rawValue }
        return (own + codes.filter { $0 != language.rawValue }).map(formats.languageName)
    }
}
