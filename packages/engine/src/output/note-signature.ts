/** Who signs the portal's notes. */
export const NOTE_AUTHOR = 'Veridict'

/**
 * A note's text, signed as spreadsheet programs sign theirs. LibreOffice drops the author of a note when it
 * saves, so `stripNotes` also recognizes ours by this signature.
 */
export const signedText = (text: string): string => `${NOTE_AUTHOR}:\n${text}`
