public import BrowsePresentation

// swift-format-ignore
extension Texts.Service {
    /// The Rick and Morty API.
    public static let rickAndMorty: Texts.Service = Texts.Service(
        name: Phrase("rickAndMorty.name", "The Rick and Morty API", ko: "Rick and Morty API"),
        notFound: Phrase("rickAndMorty.notFound", "There’s nothing with this name or number. Check your input.",
            ko: "그런 이름이나 번호가 없습니다. 입력한 내용을 확인하십시오."))
}

extension Phrase {
    static let alive = Phrase("status.alive", "Alive", ko: "생존")
    static let dead = Phrase("status.dead", "Dead", ko: "사망")
    static let female = Phrase("gender.female", "Female", ko: "여성")
    static let male = Phrase("gender.male", "Male", ko: "남성")
    static let genderless = Phrase("gender.genderless", "Genderless", ko: "무성")
}
