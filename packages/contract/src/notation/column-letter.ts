/** Letters of a column as a spreadsheet shows them: 0 → A, 25 → Z, 26 → AA. `index` is zero-based. */
export function columnLetter(index: number): string {
  let letters = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}

/** Zero-based index of column letters: A → 0, AA → 26; -1 for anything but A–Z. */
export function columnIndex(letters: string): number {
  if (!/^[A-Z]+$/.test(letters)) return -1
  let index = 0
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64
  return index - 1
}
