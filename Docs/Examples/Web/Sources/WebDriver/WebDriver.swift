/// A browser that tests control.
public enum WebDriver {}
