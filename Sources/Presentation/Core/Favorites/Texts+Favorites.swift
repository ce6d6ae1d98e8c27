import BrowseDomain
import Foundation

// swift-format-ignore
extension Phrase {
    fileprivate static let byDate = Phrase("favorites.order.added", "Date Added", ko: "추가한 날짜")
    fileprivate static let shownKind = Phrase("favorites.kind", "Show", ko: "표시할 항목")

    fileprivate static let noFavoritesTitle = Phrase("favorites.empty.title", "No Favorites", ko: "즐겨찾기 없음")
    fileprivate static let noFavorites = Phrase("favorites.empty", "Items you add to your favorites appear here.",
        ko: "즐겨찾기에 추가한 항목이 여기에 표시됩니다.")
    fileprivate static let recoveredTitle = Phrase("favorites.recovered.title", "Favorites Recovered", ko: "즐겨찾기를 복구함")
    fileprivate static func recovered(_ count: Int, file: String) -> Phrase {
        Phrase("favorites.recovered", plural: count,
            one: "The favorites file was damaged. 1 favorite was recovered. The damaged file is saved as “\(file)”.",
            "The favorites file was damaged. \(count) favorites were recovered. The damaged file is saved as “\(file)”.",
            ko: "즐겨찾기 파일이 손상되어 \(count)개를 복구했습니다. 손상된 파일은 ‘\(file)’ 이름으로 보관했습니다.")
    }
}

extension FavoriteQuery {
    /// Returns the fields of a query for favorites of some kinds.
    static func fields(of kinds: [FavoriteKind], in texts: Texts) -> [QueryField<FavoriteQuery>] {
        let kinds = kinds.map { ($0.kind.rawValue, texts($0.title), Set([$0.kind])) }
            .sorted { left, right in
                switch left.1.compare(right.1, locale: texts.formats.locale) {
                case .orderedAscending: true
                case .orderedDescending: false
                case .orderedSame: left.0 < right.0
                }
            }
        let orders = [("name", texts(.name), Order.name), ("added", texts(.byDate), .added)]
        return [
            .text("filter", texts(.filter), \.filter),
            .choice("kind", texts(.shownKind), \.kinds, [("", texts(.any), [])] + kinds) { kinds in
                let names = kinds.map(\.rawValue).sorted().joined(separator: ",")
                return (names, kinds.count == 1 ? names : texts(.several))
            },
            .choice("order", texts(.sort), \.order, orders),
        ]
    }
}

extension Texts {
    /// The message for an empty list of favorites.
    public var noFavorites: Message { message(.empty, .noFavorites, titled: .noFavoritesTitle) }

    /// The message for a filter by kind that hides all favorites.
    var noFavoritesOfKinds: Message {
        message(.noMatches, .noFilterResults, titled: .noMatchesTitle, action: .clearFilter)
    }

    /// Returns the message for a damaged file that was replaced.
    func recovered(_ recovery: StorageRecovery) -> Message {
        message(.storage, .recovered(recovery.savedCount, file: recovery.damagedFile), titled: .recoveredTitle)
    }
}
