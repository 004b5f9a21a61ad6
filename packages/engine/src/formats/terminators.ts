/**
 * What ends a cell. csv: the delimiter (a byte), CR and LF; its closing quote if it opens with one. xml: `<`.
 * The fast path is never sure of `&` and `_x` (entities and escapes), CR and NUL.
 */
export type Terminators = { readonly kind: 'csv'; readonly delimiter: number } | { readonly kind: 'xml' }

export const xmlTerminators: Terminators = { kind: 'xml' }

/**
 * Bytes that must follow the data of a walk. Each ends a cell: in csv a line feed, a quote, then line feeds;
 * in xml `<`. So the walk has no check for the end of the data: a cell that ends there is cut.
 */
export const SENTINEL_BYTES = 32
