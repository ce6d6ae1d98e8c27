/// SQL for reading favorites files of all versions.
///
/// Versions 1 and 2 had columns for shared properties and JSON for the rest. Columns have the same positions in all versions, and
/// the type of `version` identifies old rows, even under the first page of a new file.
enum FavoriteImport {
    /// The SQL for `FavoriteTable.columns`, with payloads converted to the current format.
    static func columns(of database: Database) -> String {
        let isOld = (try? database.run("SELECT number FROM favorite LIMIT 0")) != nil
        let (key, title, page, detail) =
            isOld ? ("number", "name", "page", "detail") : ("key", "title", "version", "payload")
        // SQLite reads a blob as its own binary JSON.
        let json = "CAST(coalesce(\(detail), '{}') AS TEXT)"
        let isReadable = "kind IN ('user', 'repo', 'character', 'app') AND json_valid(\(json))"
        return """
            position, kind, \(key), \(title), picture,
            CASE WHEN typeof(\(page)) = 'integer' THEN \(page) ELSE \(isReadable) END,
            CASE WHEN typeof(\(page)) = 'integer' OR NOT (\(isReadable)) THEN coalesce(\(detail), x'')
            ELSE CAST(CASE kind
                WHEN 'user' THEN \(user(json, key, title, page))
                WHEN 'repo' THEN \(repo(json, key, title, page))
                WHEN 'character' THEN json_set(\(json), '$.id', \(key), '$.name', \(title), '$.image', picture,
                    '$.created', \(date(json, "created")))
                ELSE \(app(json, key, title, page))
            END AS BLOB) END
            """
    }

    private static func user(_ json: String, _ key: String, _ title: String, _ page: String) -> String {
        """
        json_object('id', \(key), 'login', \(title), 'avatar', picture, 'webPage', \(page),
            'kind', coalesce(json_extract(\(json), '$.type'), 'User'))
        """
    }

    private static func repo(_ json: String, _ key: String, _ title: String, _ page: String) -> String {
        """
        json_set(\(json), '$.id', \(key), '$.fullName', \(title), '$.webPage', \(page),
            '$.updatedAt', \(date(json, "updatedAt")),
            '$.starCount', json_extract(\(json), '$.stars'), '$.forkCount', json_extract(\(json), '$.forks'),
            '$.owner', json(CASE json_type(\(json), '$.owner') WHEN 'object' THEN json_object(
                'id', json_extract(\(json), '$.owner.id'), 'login', json_extract(\(json), '$.owner.login'),
                'avatar', picture, 'webPage', json_extract(\(json), '$.owner.page'),
                'kind', json_extract(\(json), '$.owner.type')) END))
        """
    }

    /// Old files have seconds since 1970; `Codable` uses seconds since 2001.
    private static func date(_ json: String, _ name: String) -> String {
        "json_extract(\(json), '$.\(name)') - 978307200.0"
    }

    /// Old files have the amount of a price as text.
    private static func app(_ json: String, _ key: String, _ title: String, _ page: String) -> String {
        let amount = "json_extract(\(json), '$.price.amount')"
        return """
            json_set(\(json), '$.id', \(key), '$.name', \(title), '$.storePage', \(page),
                '$.versionDate', \(date(json, "versionDate")), '$.releaseDate', \(date(json, "releaseDate")),
                '$.price', json(CASE WHEN json_valid(\(amount))
                    THEN json_set(json_extract(\(json), '$.price'), '$.amount', json(\(amount)))
                    ELSE json_extract(\(json), '$.price') END))
            """
    }
}
