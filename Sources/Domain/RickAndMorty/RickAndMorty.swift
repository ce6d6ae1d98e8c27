/// The Rick and Morty API's entities, filters, and repositories.
///
/// Source: rickandmortyapi.com/documentation, and recorded responses.
public enum RickAndMorty {}
