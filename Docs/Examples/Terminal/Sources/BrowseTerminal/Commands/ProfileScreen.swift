import BrowseKit
import Foundation

/// Shows a profile with its view model.
@MainActor
struct ProfileScreen {
    let session: Session
    var images = ImageOptions()

    /// Shows an account.
    func show(_ login: GitHub.Login) async throws(Sink.Failure) -> Outcome {
        let model = session.container.userProfileViewModel()
        await model.show(login)
        switch model.state.content.status {
        case .loaded(let details):
            return try await write(details, isFavorite: model.state.isFavorite, from: model.state.content.provenance)
        case .failed(let message): return session.report(message, hint: session.hint(for: message))
        case .idle, .loading, .waiting: return session.stoppedEarly
        }
    }

    /// Shows the account of the session.
    func showOwn() async throws(Sink.Failure) -> Outcome {
        let model = session.container.gitHubAccountViewModel()
        await model.show()
        switch model.state.content.status {
        case .loaded(let details):
            let favorites = try? await session.container.favoriteRepository().ids()
            return try await write(
                details,
                isFavorite: favorites?.contains(.user(details.profile.id)) ?? false,
                from: model.state.content.provenance
            )
        case .failed(let message):
            return session.report(message, hint: session.hint(for: message))
        case .idle, .loading, .waiting: return session.stoppedEarly
        }
    }

    private func write(
        _ details: UserProfileViewModel.Details,
        isFavorite: Bool,
        from provenance: Provenance?
    ) async throws(Sink.Failure) -> Outcome {
        if let outcome = try await images.draw(details.profile.user.avatar, in: session) { return outcome }
        if session.isJSON || session.output.isTerminal {
            try session.write(page(details, isFavorite: isFavorite), from: provenance)
        } else {
            try session.output.print(details.profile.fields)
            session.printAge(of: provenance)
        }
        return session.interruption ?? .success
    }

    private func json(_ profile: GitHub.UserProfile, isFavorite: Bool) -> JSON {
        .object([
            "user": profile.user.json(isFavorite: isFavorite), "name": JSON(profile.name), "bio": JSON(profile.bio),
            "company": JSON(profile.company), "location": JSON(profile.location), "blog": JSON(profile.blog?.rawValue),
            "public_repos": JSON(profile.publicRepoCount), "public_gists": JSON(profile.publicGistCount),
            "followers": JSON(profile.followerCount), "following": JSON(profile.followingCount),
            "member_since": JSON(profile.memberSince?.formatted(.iso8601)),
        ])
    }

    private func page(_ details: UserProfileViewModel.Details, isFavorite: Bool) -> DetailPage {
        let profile = details.profile
        let user = profile.user
        let texts = session.texts
        return DetailPage(
            title: user.login.rawValue,
            subtitle: details.memberSince,
            fields: [
                .init("name", texts(.name), details.name, isMissing: profile.name == nil),
                .init("kind", texts(.kind), texts.kind(user.kind)),
                .init("bio", texts(.bio), details.bio, isMissing: profile.bio == nil),
                .init("company", texts(.company), details.company, isMissing: profile.company == nil),
                .init("location", texts(.location), details.location, isMissing: profile.location == nil),
                .init("blog", texts(.blog), details.blog, isMissing: profile.blog == nil),
                .init("public_repos", texts(.publicRepos), details.publicRepos),
                .init("public_gists", texts(.publicGists), details.publicGists),
                .init("followers", texts(.followers), details.followers),
                .init("following", texts(.following), details.following),
                .init("web_page", texts(.webPage), user.webPage?.rawValue ?? "–", isMissing: user.webPage == nil),
                .init("avatar", texts(.image), user.avatar?.rawValue ?? "–", isMissing: user.avatar == nil),
            ],
            json: json(profile, isFavorite: isFavorite)
        )
    }
}

extension GitHub.UserProfile {
    /// The profile for programs: stable keys and GitHub's values.
    fileprivate var fields: [Line] {
        let fields: KeyValuePairs<String, String> = [
            "login": user.login.rawValue,
            "id": String(user.id.rawValue),
            "kind": user.kind.rawValue,
            "name": name ?? "",
            "bio": bio ?? "",
            "company": company ?? "",
            "location": location ?? "",
            "blog": blog?.rawValue ?? "",
            "public_repos": text(publicRepoCount),
            "public_gists": text(publicGistCount),
            "followers": text(followerCount),
            "following": text(followingCount),
            "member_since": memberSince.map { $0.formatted(.iso8601) } ?? "",
            "web_page": user.webPage?.rawValue ?? "",
            "avatar": user.avatar?.rawValue ?? "",
        ]
        return fields.map { Line(fields: [$0.key, $0.value]) }
    }

    private func text(_ count: Int?) -> String {
        count.map { String($0) } ?? ""
    }
}
