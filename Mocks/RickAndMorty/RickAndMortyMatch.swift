import BrowseDomain

/// Compares fields like the API's filters, ignoring case, and the kind of quotes.
///
/// A gender must match completely, because `Female` contains `male`.
enum RickAndMortyMatch {
    static func part(_ wanted: String?, of text: String?) -> Bool {
        let wanted = TypedText(wanted ?? "").withStraightQuotes
        guard !wanted.isEmpty, let text else { return wanted.isEmpty }
        return TypedText(text).withStraightQuotes.text.lowercased().contains(wanted.text.lowercased())
    }

    static func whole(_ wanted: String?, of text: String?) -> Bool {
        guard let wanted else { return true }
        return text?.lowercased() == wanted.lowercased()
    }
}
