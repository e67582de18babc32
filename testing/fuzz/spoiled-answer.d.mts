/** A spoiled answer in one or two pieces. `random` gives numbers from 0 up to but not including 1. */
export function spoiledPieces(random: () => number): readonly Buffer[];
