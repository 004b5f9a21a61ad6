/**
 * `SearchText` as an ILIKE pattern: contains, and `%`, `_` and `\` are ordinary characters. api.md,
 * "Conventions".
 */
export const containsPattern = (searchText: string): string => `%${searchText.replace(/[\\%_]/g, '\\$&')}%`
