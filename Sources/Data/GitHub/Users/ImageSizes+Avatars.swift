public import BrowseData

extension ImageSizes {
    /// GitHub's avatars, of which it stores none above 460 pixels.
    public static let gitHubAvatars: ImageSizes = ImageSizes(
        prefix: "https://avatars.githubusercontent.com/",
        parameter: "s",
        sides: [64, 128, 256, 460]
    )
}
