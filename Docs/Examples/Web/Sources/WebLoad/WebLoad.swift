@main enum WebLoadMain { static func main() {} }
