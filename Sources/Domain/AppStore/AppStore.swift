/// The App Store's entities, use cases, and repository.
public enum AppStore {}
