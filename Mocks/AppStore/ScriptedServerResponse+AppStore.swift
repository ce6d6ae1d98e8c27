public import BrowseCoreMocks
import BrowseData

extension ScriptedServer.Response {
    /// The App Store's response for an app that doesn't exist: an empty result.
    public static var appStoreNotFound: ScriptedServer.Response { .emptyAppStoreResult(200) }

    /// The App Store's response to a client that has used up its rate limit: 403 without an end.
    public static var appStoreRateLimited: ScriptedServer.Response { .emptyAppStoreResult(403) }

    private static func emptyAppStoreResult(_ status: Int) -> ScriptedServer.Response {
        .json(
            "\n\n\n{\n \"resultCount\":0,\n \"results\": []\n}\n\n\n",
            status: status,
            headers: ["Content-Type": "text/javascript; charset=utf-8"]
        )
    }
}
