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
        return try await write(model, isFavorite: model.state.isFavorite)
    }

    /// Shows the account of the session.
    func showOwn() async throws(Sink.Failure) -> Outcome {
        let model = session.container.gitHubAccountViewModel()
        await model.show()
        let favorites = try? await session.container.favoriteRepository().ids()
        let id = model.state.user?.favoriteID
        return try await write(model, isFavorite: id.map { favorites?.contains($0) == true } ?? false)
    }

    private func write<Model: DetailViewModel>(
        _ model: Model,
        isFavorite: Bool
    ) async throws(Sink.Failure) -> Outcome where Model.State.Details == UserProfileViewModel.Details {
        let content = model.state.content
        guard let details = content.details else {
            guard case .failed(let message) = content.status else { return session.stoppedEarly }
            return session.report(message, hint: session.hint(for: message))
        }
        if let outcome = try await images.draw(details.profile.user.avatar, in: session) { return outcome }
        if session.isJSON || session.output.isTerminal {
            try session.write(page(details, isFavorite: isFavorite), from: content.provenance)
        } else {
            try session.output.print(details.profile.fields)
            session.printAge(of: content.provenance)
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
        let kind = Fact("kind", texts(.kind), texts.kind(user.kind))
        let addresses: [(String, Phrase, WebAddress?)] = [
            ("web_page", .webPage, user.webPage), ("avatar", .image, user.avatar),
        ]
        return DetailPage(
            title: user.login.rawValue,
            fields: [kind] + details.facts
                + addresses.map { Fact($0, texts($1), $2?.rawValue ?? "–", isMissing: $2 == nil) },
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
