/// The App Store's part of the domain: its apps, the rules about them, and the repository that hands them out.
public enum AppStore {}
