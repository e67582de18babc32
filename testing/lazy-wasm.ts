/**
 * A flag of Node. The embedded database is WebAssembly; optimising what it runs takes a second of each start, and gains nothing in the
 * few seconds that a test uses it. What runs for long is optimised all the same.
 */
export const lazyWasm = '--wasm-tiering-budget=2000000000';
