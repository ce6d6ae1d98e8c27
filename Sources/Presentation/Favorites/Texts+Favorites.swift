import BrowseDomain

extension Phrase {
    static let favoritesTitle = Phrase("favorites.title", "Favorites", ko: "즐겨찾기")

    fileprivate static let users = Phrase("favorites.users.title", "Accounts", ko: "계정")
    fileprivate static let repos = Phrase("favorites.repos.title", "Repositories", ko: "저장소")
    fileprivate static let apps = Phrase("favorites.apps.title", "Apps", ko: "앱")
    fileprivate static let otherKind = Phrase("favorites.other.title", "Other", ko: "기타")

    fileprivate static let noFavoritesTitle = Phrase("favorites.empty.title", "No Favorites", ko: "즐겨찾기 없음")
    fileprivate static let noFavorites = Phrase(
        "favorites.empty",
        "Items that you add to your favorites appear here.",
        ko: "즐겨찾기에 추가한 항목이 여기에 표시됩니다."
    )
    fileprivate static let storageRecoveredTitle = Phrase(
        "favorites.recovered.title",
        "Favorites Recovered",
        ko: "즐겨찾기를 복구함"
    )
    fileprivate static func storageRecovered(_ count: Int, file: String) -> Phrase {
        Phrase(
            "favorites.recovered",
            plural: count,
            one: "The file was damaged. 1 favorite was recovered. The old file was kept as \(file).",
            "The file was damaged. \(count) favorites were recovered. The old file was kept as \(file).",
            ko: "파일이 손상되어 \(count)개를 복구했습니다. 이전 파일은 \(file)(으)로 보관했습니다."
        )
    }
}

extension Texts {
    /// The title of the group of a kind of favorites.
    func title(of kind: Favorite.Kind) -> String {
        switch kind {
        case .user: self(.users)
        case .repo: self(.repos)
        case .character: self(.charactersTitle)
        case .app: self(.apps)
        default: self(favoriteKinds[kind] ?? .otherKind)
        }
    }

    /// The message of favorites without rows.
    var noFavorites: Message {
        message(.empty, .noFavorites, titled: .noFavoritesTitle)
    }

    /// The message after replacing a damaged file.
    func recovered(_ recovery: StorageRecovery) -> Message {
        let text = Phrase.storageRecovered(recovery.savedCount, file: recovery.damagedFile)
        return message(.storage, text, titled: .storageRecoveredTitle)
    }
}
