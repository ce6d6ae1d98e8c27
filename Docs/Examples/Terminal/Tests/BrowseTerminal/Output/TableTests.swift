import BrowseTerminal
import Testing

@Suite("A table")
struct TableTests {
    private let table = Table(
        [
            Table.Column("Login", minWidth: .max),
            Table.Column("Kind", minWidth: 4),
            Table.Column("ID", minWidth: .max, isNumeric: true),
            Table.Column("Page", minWidth: 10),
        ],
        rows: [
            ["octocat", "사용자", "1", "https://github.com/octocat"],
            ["한글이름", "조직", "12345", "https://github.com/x"],
        ]
    )

    private func text(width: Int) -> [String] {
        table.lines(width: width).map { $0.rendered(inColor: false) }
    }

    @Test("aligns columns by the width that a terminal gives them")
    func aligns() {
        #expect(
            text(width: 80) == [
                "Login     Kind       ID  Page",
                "octocat   사용자      1  https://github.com/octocat",
                "한글이름  조직    12345  https://github.com/x",
            ]
        )
    }

    @Test("is never wider than the window", arguments: 1...80)
    func fits(width: Int) {
        #expect(text(width: width).allSatisfy { $0.columns <= width })
    }

    @Test("narrows the last column first, then omits it and widens the others")
    func narrows() {
        #expect(text(width: 40)[1] == "octocat   사용자      1  https://github…")
        #expect(text(width: 33)[1] == "octocat   사…       1  https://g…")
        #expect(text(width: 32)[1] == "octocat   사용자      1")
    }

    @Test("keeps its first column in the narrowest window")
    func keepsTheFirst() {
        #expect(text(width: 4) == ["Log…", "oct…", "한…"])
    }

    @Test("is a header when there are no rows")
    func empty() {
        let lines = Table([Table.Column("Login", minWidth: 2)], rows: []).lines(width: 10)
        #expect(lines.map { $0.rendered(inColor: false) } == ["Login"])
    }
}
