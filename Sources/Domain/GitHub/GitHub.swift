/// GitHub's part of the domain: its entities, the rules about them, and the repositories that hand them out.
public enum GitHub {}
