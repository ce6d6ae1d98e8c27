/// The Rick and Morty API's part of the domain: its entities, what they can be filtered by, and the repositories that hand
/// them out.
///
/// Source: rickandmortyapi.com/documentation, and recorded responses.
public enum RickAndMorty {}
