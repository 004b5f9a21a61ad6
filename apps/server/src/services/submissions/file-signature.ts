/** First bytes of kinds of files that cannot be a table. No header of a CSV file starts with them. */
const foreignSignatures: readonly (readonly number[])[] = [
  [0x7f, 0x45, 0x4c, 0x46], // ELF program
  [0x25, 0x50, 0x44, 0x46, 0x2d], // %PDF-
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a], // PNG
  [0xff, 0xd8, 0xff], // JPEG
  [0x1f, 0x8b, 0x08], // gzip
  [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], // 7z
  [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07], // RAR
  [0xca, 0xfe, 0xba, 0xbe], // Mach-O, Java class
  [0xcf, 0xfa, 0xed, 0xfe], // Mach-O
]

/**
 * Whether the bytes belong to a program, picture, document or archive that has nothing to do here, whatever
 * the name says. What might be meant as a table (a workbook named .csv, an old .xls, a password-protected
 * workbook) is let through: the engine tells its sender precisely what it is and how to save it.
 */
export function isForeign(head: Uint8Array): boolean {
  return (
    isWindowsProgram(head) ||
    foreignSignatures.some((signature) => signature.every((byte, index) => head[index] === byte))
  )
}

/** "MZ" may well begin a header; with NUL bytes behind it, it is a program. */
const isWindowsProgram = (head: Uint8Array): boolean =>
  head[0] === 0x4d && head[1] === 0x5a && head.subarray(2, 16).includes(0)
