import BrowseDomain
import BrowseKit
import BrowsePresentation
import Foundation

/// Shows an account's profile, by driving its view model.
@MainActor
struct ProfileScreen {
    let session: Session

    /// Shows an account.
    func show(_ login: GitHub.Login) async throws(Sink.Failure) -> Outcome {
        let model = session.container.userProfileViewModel()
        await model.show(login)
        switch model.state.status {
        case .loaded(let details): return try write(details, isFavorite: model.state.isFavorite)
        case .failed(let message): return session.report(message, hint: session.hint(for: message))
        case .idle, .loading: return session.stoppedEarly
        }
    }

    /// Shows one's own account.
    func showOwn() async throws(Sink.Failure) -> Outcome {
        let model = session.container.accountViewModel()
        await model.show()
        switch model.state.status {
        case .loaded(let details):
            let kept = try? await session.container.favoriteRepository().ids()
            return try write(details, isFavorite: kept?.contains(.user(details.profile.id)) ?? false)
        case .failed(let message), .signedOut(let message):
            return session.report(message, hint: session.hint(for: message))
        case .idle, .loading: return session.stoppedEarly
        }
    }

    private func write(
        _ details: UserProfileViewModel.Details,
        isFavorite: Bool
    ) throws(Sink.Failure) -> Outcome {
        let lines =
            if session.isJSON {
                [Line(json(details.profile, isFavorite: isFavorite))]
            } else {
                session.output.isTerminal ? lines(details) : details.profile.fields
            }
        try session.output.print(lines)
        return session.interruption ?? .success
    }

    private func json(_ profile: GitHub.UserProfile, isFavorite: Bool) -> JSON {
        .object([
            "user": profile.user.json(isFavorite: isFavorite), "name": JSON(profile.name), "bio": JSON(profile.bio),
            "company": JSON(profile.company), "location": JSON(profile.location), "blog": JSON(profile.blog?.rawValue),
            "public_repos": JSON(profile.publicRepoCount), "public_gists": JSON(profile.publicGistCount),
            "followers": JSON(profile.followerCount), "following": JSON(profile.followingCount),
            "member_since": .text(profile.memberSince.formatted(.iso8601)),
        ])
    }

    private func lines(_ details: UserProfileViewModel.Details) -> [Line] {
        let user = details.profile.user
        let words = session.words
        let fields: [(Phrase, String, isMissing: Bool)] = [
            (.name, details.name, details.profile.name == nil),
            (.kind, words.kind(user.kind), false),
            (.bio, details.bio, details.profile.bio == nil),
            (.company, details.company, details.profile.company == nil),
            (.location, details.location, details.profile.location == nil),
            (.blog, details.blog, details.profile.blog == nil),
            (.publicRepos, details.publicRepos, false),
            (.publicGists, details.publicGists, false),
            (.followers, details.followers, false),
            (.following, details.following, false),
            (.webPage, user.webPage?.rawValue ?? "–", user.webPage == nil),
            (.avatar, user.avatar?.rawValue ?? "–", user.avatar == nil),
        ]
        let width = session.output.columns()
        let labelWidth = (fields.map { words($0.0).columns }.max() ?? 0) + 2
        var lines = [
            Line(user.login.rawValue.harmless.cut(to: width), .bold),
            Line(details.memberSince.cut(to: width), .dim),
            Line(),
        ]
        for (label, value, isMissing) in fields {
            // A window that leaves next to nothing beside the labels wraps by itself.
            let room = max(10, width - labelWidth)
            let parts = value.harmlessLines.flatMap { $0.wrapped(to: room) }
            for (index, part) in parts.enumerated() {
                let label = index == 0 ? words(label) : ""
                lines.append(Line(label.padded(to: labelWidth), .dim).adding(part, isMissing ? .dim : .plain))
            }
        }
        return lines
    }
}

extension GitHub.UserProfile {
    /// The profile for programs: keys that do not change, values as GitHub gave them, empty where it gave none.
    fileprivate var fields: [Line] {
        let fields: KeyValuePairs = [
            "login": user.login.rawValue,
            "id": String(user.id.rawValue),
            "kind": user.kind.rawValue,
            "name": name ?? "",
            "bio": bio ?? "",
            "company": company ?? "",
            "location": location ?? "",
            "blog": blog?.rawValue ?? "",
            "public_repos": String(publicRepoCount),
            "public_gists": String(publicGistCount),
            "followers": String(followerCount),
            "following": String(followingCount),
            "member_since": memberSince.formatted(.iso8601),
            "web_page": user.webPage?.rawValue ?? "",
            "avatar": user.avatar?.rawValue ?? "",
        ]
        return fields.map { Line(fields: [$0.key, $0.value]) }
    }
}
