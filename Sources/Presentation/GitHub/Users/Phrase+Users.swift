import BrowsePresentation
import Foundation

// swift-format-ignore
extension Phrase {
    static let bio = Phrase("profile.bio", "Bio", ko: "소개")
    static let company = Phrase("profile.company", "Company", ko: "회사")
    static let location = Phrase("profile.location", "Location", ko: "위치")
    static let blog = Phrase("profile.website", "Website", ko: "웹사이트")
    static let followers = Phrase("profile.followers", "Followers", ko: "팔로워")
    static let following = Phrase("profile.following", "Following", ko: "팔로잉")
    static let gists = Phrase("profile.gists", "Gists", ko: "Gist")
    static let joined = Phrase("profile.joined", "Joined", ko: "가입")
    static func month(_ date: Date) -> Phrase { Phrase("profile.month", "\(month: date)", ko: "\(month: date)") }

    static let noName = Phrase("profile.noName", "No name", ko: "이름 없음")
    static let noBio = Phrase("profile.noBio", "No bio", ko: "소개 없음")
    static let noCompany = Phrase("profile.noCompany", "No company", ko: "회사 없음")
    static let noLocation = Phrase("profile.noLocation", "No location", ko: "위치 없음")
    static let noBlog = Phrase("profile.noWebsite", "No website", ko: "웹사이트 없음")
    static func memberSince(_ date: Date) -> Phrase {
        Phrase("profile.memberSince", "Member since \(month: date)", ko: "\(month: date) 가입")
    }
    static let memberSinceUnknown = Phrase("profile.noMemberSince", "Join date unknown", ko: "가입일 알 수 없음")
}
