/**
 * What ends a cell in the bytes of a file.
 * - csv: the delimiter (a byte), CR and LF; for a cell that opens with a quote, its closing quote.
 * - xml: `<`. The fast path is never sure of `&` and `_x` (entities and escapes), CR and NUL.
 */
export type Terminators = { readonly kind: 'csv'; readonly delimiter: number } | { readonly kind: 'xml' }

export const xmlTerminators: Terminators = { kind: 'xml' }

/**
 * How many bytes must follow the data in every buffer that the fast path walks over. Each of them ends
 * a cell: in csv a line feed, a quote, then line feeds; in xml `<`. So the walk needs no check for the end of
 * the data: an end of a cell at or beyond it means that the cell is cut there.
 */
export const SENTINEL_BYTES = 32
