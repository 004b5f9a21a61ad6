/** What people and programs add to the name of a file when they save it again. */
const ADDED = new RegExp(
  '(?:\\(\\d+\\)|[(\\[]?(?:(?:copy|kopie)(?: ?\\d+)?|corrected|corrections?|fixed|cleaned|final|new|latest|' +
    'updated|retry|highlighted|korrigiert|bereinigt|neu|v\\d+|rev\\d+)[)\\]]?)$',
  'u',
)
const ADDED_BEFORE = /^(?:copy of|kopie von) /u
const SEPARATOR = /[\s._-]/u
/** Longest file name of today's file systems. Additions to a longer one are not looked for. */
const MAX_LENGTH = 255

/**
 * Equal for names of which one was probably made from the other: without extension and additions like "(1)",
 * "- Copy", "_v2", "-corrected". Other digits stay: they often name a month. Ours.
 */
export function uploadNameKey(fileName: string): string {
  let key = fileName
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\.[^.]*$/u, '')
    .trim()
    .replace(ADDED_BEFORE, '')
  let shorter = withoutAddition(key)
  while (shorter !== key && shorter !== '') {
    key = shorter
    shorter = withoutAddition(key)
  }
  return key.replace(/[\s._-]+/gu, ' ')
}

/** A loop: an expression would try a run of separators inside the name from each of them. */
function withoutAddition(key: string): string {
  const start = key.length > MAX_LENGTH ? -1 : key.search(ADDED)
  if (start < 0) return key
  let end = start
  while (end > 0 && SEPARATOR.test(key[end - 1])) end--
  return key.slice(0, end)
}
