extension Phrase {
    func english(_ number: (Int) -> String) -> String {
        switch self {
        case .login: "Login"
        case .id: "ID"
        case .kind: "Kind"
        case .name: "Name"
        case .bio: "Bio"
        case .company: "Company"
        case .location: "Location"
        case .blog: "Website"
        case .repo: "Repository"
        case .stars: "Stars"
        case .language: "Language"
        case .updated: "Updated"
        case .summary: "Description"
        case .publicRepos: "Repositories"
        case .publicGists: "Gists"
        case .followers: "Followers"
        case .following: "Following"
        case .webPage: "Page"
        case .avatar: "Picture"

        case .user: "User"
        case .organization: "Organization"
        case .bot: "Bot"
        case .mannequin: "Mannequin"

        case .all(let count, _): "\(number(count)) in all"
        case .loaded(let count, _): "\(number(count)) loaded, and there are more"
        case .loadedUseAll(let count, _): "\(number(count)) loaded, more available: --all"
        case .matching(let count, let all, _): "\(number(count)) of \(number(all)) loaded match"
        case .matchingUseAll(let count, let all, _):
            "\(number(count)) of \(number(all)) loaded match, search more: --all"

        case .loading(let count, _): "\(number(count)) loaded…"
        case .stopped(let count, _): "Stopped with \(number(count)) loaded."
        case .stoppedEarly: "Stopped before anything was loaded."
        case .skipped(1): "1 row can’t be read and was left out."
        case .skipped(let count): "\(number(count)) rows can’t be read and were left out."

        case .useToken: "browse login, or --token-env names the variable that holds a token"
        case .tokenRaisesLimit: "GitHub allows more to those who sign in: browse login, or --token-env"
        case .onlyFirstPage: "only the first page was searched: --all"

        case .tokenMissing: "The environment variable named by --token-env is not set, or empty."
        case .tokenMalformed: "The environment variable named by --token-env does not hold a token."
        case .tokenUnprotected: "A token is sent over https only, except to this computer itself."
        case .loginEmpty: "A login can’t be empty."
        case .searchEmpty: "There is nothing to search for."
        case .outputFailed(let reason): "The output can’t be written: \(reason)"

        case .added(let name): "\(name) is a favourite now."
        case .alreadyThere(let name): "\(name) is a favourite already."
        case .removed(let name): "\(name) is no favourite any more."
        case .notKept(let name): "\(name) is no favourite."
        case .forgottenSoon: "It is forgotten when this run ends: --storage names a folder to keep favourites in."

        case .waitingForCode: "Waiting until the code was typed… Ctrl-C stops."
        case .signedIn(let login): "Signed in as \(login)."
        case .signedOut: "Signed out."
        case .nobodySignedIn: "Nobody was signed in."
        case .sessionForgottenSoon: "It ends with this run: --storage names a folder to keep the sign-in in."
        case .signInStopped: "Stopped before anybody was signed in."
        case .starred(let name): "\(name) has your star now."
        case .unstarred(let name): "\(name) has your star no more."
        case .alreadyStarred(let name): "\(name) has your star already."
        case .notStarred(let name): "\(name) does not have your star."
        case .starForgottenSoon: "The bundled data forgets it when this run ends."
        case .notRepo: "A repository is written as OWNER/NAME."
        }
    }
}
