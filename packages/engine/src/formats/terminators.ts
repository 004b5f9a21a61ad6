/**
 * What ends a cell. csv: the delimiter (a byte), CR and LF; a quoted cell ends with its closing quote.
 * xml: `<`; there the fast path is never sure of `&` and `_x` (entities and escapes), CR and NUL.
 */
export type Terminators = { readonly kind: 'csv'; readonly delimiter: number } | { readonly kind: 'xml' }

export const xmlTerminators: Terminators = { kind: 'xml' }

/**
 * How many bytes must follow the data that the fast path walks over. Each ends a cell: in csv a line feed, a
 * quote, then line feeds; in xml `<`. So no check for the end of the data is needed: a cell that ends at or
 * beyond it is cut.
 */
export const SENTINEL_BYTES = 32
