import BrowsePresentation
import Foundation

extension Phrase {
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
