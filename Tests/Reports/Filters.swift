import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// Text that filters loaded or saved rows.
@MainActor
@Suite(.bounded)
struct `Reports about filters` {
    struct Sample: CustomTestStringConvertible {
        let typed: String
        let name: String
        var isFound = true

        var testDescription: String { "\(typed) in \(name)" }

        init(_ typed: String, _ name: String, _ isFound: Bool = true) {
            (self.typed, self.name, self.isFound) = (typed, name, isFound)
        }
    }

    /// In the order of the rows: as added, and by name.
    private func expect(_ sample: Sample, in locale: String) async throws {
        let all = Container.offline(configuration: Configuration().with { $0.locale = Locale(identifier: locale) })
        let character = RickAndMorty.Character(id: .init(rawValue: 1), name: sample.name)
        _ = try await all.favoriteRepository().add(Favorite(character))
        for order in [FavoriteQuery.Order.added, .name] {
            let list = all.favoriteListViewModel()
            list.query = FavoriteQuery(filter: sample.typed, order: order)
            await list.show()
            #expect(list.state.content.rows.count == (sample.isFound ? 1 : 0), "\(order)")
        }
    }

    // Keypirinha/Keypirinha#566, toss/es-hangul#99, bluewings/korean-regexp#6,
    // eGovFramework/egovframe-runtime#446
    @Test(arguments: [
        Sample("ㅋㅋㅇㅌ", "카카오톡"), .init("ㅋㅇㅌ", "카카오톡"), .init("ㅌㅇ", "카카오톡", false), .init("ㄻ", "라면"),
        .init("ㄹㅁ", "라면"), .init("ㄳ", "가수"), .init("ㅋㅋ", "ㅋㅋㅋ 짤방"), .init("ㅋㅋ", "쿠키"), .init("ㅠㅠ", "아 ㅠㅠ"),
        .init("aㄷ 101ㅎ", "A동 101호"), .init("삼성", "삼성전자"), .init("삼성", "사슴전자", false),
    ])
    func `Korean letters find what begins with them`(sample: Sample) async throws {
        try await expect(sample, in: "ko_KR")
    }

    // jrpie/launcher#95, meilisearch/charabia#186, ovalhub/pyicu#78, krisk/Fuse#701,
    // 4gray/iptvnator#1612, 4gray/iptvnator#609, oracle/opengrok#1768, dotnet/runtime#83589
    @Test(
        arguments: [
            Sample("resume", "Résumé"), .init("camara", "Cámara"), .init("résumé", "Résumé"),
            .init("محـــمد", "محمد"), .init("محمد", "محـــمد"), .init("ـ", "anything"),
            .init("السَّماء", "السماء والأرض"),
            .init("الارض", "السماء والأرض"), .init("ماء", "السماء والأرض"), .init("ماء", "ما", false),
            .init("satış teklİflerİ", "Satış Teklifleri"), .init("SATIŞ TEKLİFLERİ", "Satış Teklifleri"),
            .init("satış tekli\u{307}fleri", "Satış Teklifleri"), .init("ışık", "Işık TV"), .init("ışık", "IŞIK"),
            .init("isik", "Işık TV"), .init("inş", "İnşaat"), .init("İNŞ", "İnşaat"), .init("ins", "İnşaat"),
            .init("unlu", "Ünlü"), .init("san", "Şan"), .init("TIME", "time-machine"), .init("title", "TITLE"),
            .init("MIKE", "mike"), .init("swift\u{202F}ui", "Swift UI"), .init("swift ui", "Swift\u{A0}UI"),
            .init("swift\u{3000}ui", "Swift UI"),
        ],
        ["en_US", "tr_TR"]
    )
    func `letters match in every language of the device`(sample: Sample, locale: String) async throws {
        try await expect(sample, in: locale)
    }

    /// taginfo/taginfo#40, bestofjs/bestofjs#69
    @Test(arguments: [
        Sample("_", "monalisa", false), .init("_", "mona_acme"), .init("a_a", "mona_acme"),
        .init("a_a", "monalisa", false),
        .init("%", "100%"), .init("%", "monalisa", false), .init("\\", "monalisa", false), .init("\\", "a\\b"),
        .init(".*", "monalisa", false), .init(".", "monalisa", false), .init("[", "a[b"), .init("(", "a(b"),
        .init("*", "a*b"),
        .init("a|b", "a", false),
    ])
    func `every character counts as itself`(sample: Sample) async throws {
        try await expect(sample, in: "en_US")
    }

    /// cachly/issues-tracker#1563, moezbhatti/qksms#1667, Renset/macai#96
    @Test func `each filter starts from all rows, and spaces around it don't count`() async throws {
        let list = Container.offline().followerListViewModel()
        await list.show(.followers(of: GitHub.Login("octocat")))
        let everyone = list.state.content.rows.map(\.id)
        for text in ["a", "", "b", "", "ab", "", "a "] {
            list.filter = text
            if text.isEmpty { #expect(list.state.content.rows.map(\.id) == everyone) }
        }
        let found = list.state.content.rows.map(\.id)
        #expect(!found.isEmpty && found.count < everyone.count)
        for text in [" a", "a", "\ta\n"] {
            list.filter = text
            #expect(list.state.content.rows.map(\.id) == found)
        }
        list.filter = String(repeating: "a", count: 1 << 20)
        #expect(list.state.content.rows.isEmpty)
        list.filter = String(repeating: "한\n", count: 100_000)
        #expect(list.state.content.rows.isEmpty)
    }
}
