/** A spoiled answer in one or two pieces, as it may come over a connection. `random` gives numbers from 0 up to but not 1. */
export function spoiledPieces(random: () => number): readonly Buffer[];
