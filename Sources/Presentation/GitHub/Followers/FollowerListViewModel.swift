import BrowseDomain
public import BrowseGitHubDomain
public import BrowsePresentation

/// A screen with the followers of an account, or the accounts that it follows, filtered by login.
public typealias FollowerListViewModel = PagedListViewModel<GitHub.FollowList, UserRow>

extension FollowerListViewModel {
    /// Creates the screen; `show(_:)` loads it.
    package convenience init(repository: any GitHub.FollowerRepository, options: ScreenOptions) {
        let options = options.about(.gitHubFollowers).withInput()
        let texts = options.texts
        self.init(options: options) { list in
            switch list {
            case .followers(let login): texts(.followersTitle(login))
            case .following(let login): texts(.followingTitle(login))
            }
        } empty: { list in
            texts.emptyList(list)
        } filtering: { row in
            // Names are written with it, but no login has one.
            "@" + row.login.rawValue
        } page: { list, cursor throws(BrowseError) in
            try await repository.page(of: list, at: cursor)
        } allPages: { [concurrency = options.pageConcurrency] list in
            { cursor, receive throws(BrowseError) in
                try await repository.pages(of: list, from: cursor, concurrency: concurrency, receive: receive)
            }
        } row: {
            UserRow($0)
        }
    }
}

// swift-format-ignore
extension Phrase {
    static func followersTitle(_ login: GitHub.Login) -> Phrase {
        Phrase("followers.title", "Followers of \(login)", ko: "\(login)의 팔로워")
    }
    static func followingTitle(_ login: GitHub.Login) -> Phrase {
        Phrase("following.title", "\(login) follows", ko: "\(login)의 팔로잉")
    }

    fileprivate static let noFollowersTitle = Phrase("followers.empty.title", "No Followers", ko: "팔로워 없음")
    fileprivate static func noFollowers(_ login: GitHub.Login) -> Phrase {
        Phrase("followers.empty", "Nobody follows \(login) yet.", ko: "아직 \(login) 님을 팔로우하는 사람이 없습니다.")
    }
    fileprivate static let noFollowingTitle = Phrase("following.empty.title", "Not Following Anyone", ko: "팔로잉 없음")
    fileprivate static func noFollowing(_ login: GitHub.Login) -> Phrase {
        Phrase("following.empty", "\(login) doesn’t follow anyone yet.", ko: "\(login) 님은 아직 아무도 팔로우하지 않습니다.")
    }
}

extension Texts {
    /// Returns the message for an empty list of followers or followed accounts.
    ///
    /// It has no action: the account exists, so its name needs no change.
    func emptyList(_ list: GitHub.FollowList) -> Message {
        switch list {
        case .followers(let login):
            message(.empty, .noFollowers(login), titled: .noFollowersTitle)
        case .following(let login):
            message(.empty, .noFollowing(login), titled: .noFollowingTitle)
        }
    }
}
