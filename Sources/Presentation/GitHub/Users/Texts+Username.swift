public import BrowseGitHubDomain
public import BrowsePresentation

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

    /// The hint for text that can't be a username.
    public static func username(_ error: GitHub.Username.ValidationError) -> Phrase {
        switch error {
        case .empty: Phrase("username.empty", "Enter a username.", ko: "사용자 이름을 입력하십시오.")
        case .addressWithoutAccount:
            Phrase("username.address", "This address doesn’t lead to an account. Enter a username, or paste the address of a profile.",
                ko: "계정으로 연결되지 않는 주소입니다. 사용자 이름을 입력하거나 프로필 주소를 붙여넣으십시오.")
        case .characterNotAllowed(let character):
            Phrase("username.character", "A username can’t contain \(.character(character)). Use letters, digits, hyphens, and underscores.",
                ko: "사용자 이름에는 \(.character(character)) 문자를 사용할 수 없습니다. 영문자, 숫자, 하이픈, 밑줄만 사용하십시오.")
        case .tooLong(let excess):
            Phrase("username.tooLong", plural: excess, one: "Remove 1 character. A username has at most 39.",
                "Remove \(excess) characters. A username has at most 39.",
                ko: "\(excess)자를 줄이십시오. 사용자 이름은 39자까지입니다.")
        case .hyphenFirst:
            Phrase("username.hyphenFirst", "A username can’t start with a hyphen.",
                ko: "사용자 이름은 하이픈으로 시작할 수 없습니다.")
        }
    }

    /// The note about a name that GitHub no longer issues.
    static let unusualUsername = Phrase("username.unusual",
        "Only old accounts have a hyphen at the end, or two in a row. Check the spelling.",
        ko: "하이픈으로 끝나거나 하이픈이 연달아 있는 이름은 오래된 계정에만 있습니다. 철자를 확인하십시오.")
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
