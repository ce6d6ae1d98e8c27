import BrowseKit

extension UserRow: WebRow {
    var key: String { "\(id.rawValue)" }

    func view(in context: PageContext) -> RowView {
        RowView(
            id: key,
            title: user.login.rawValue,
            link: route.flatMap { Link($0) },
            image: context.image(user.avatar, side: 48),
            marks: [context.favorite(self, key: key, name: user.login.rawValue)]
        )
    }
}
