/// GitHub's entities, use cases, and repositories.
public enum GitHub {}
