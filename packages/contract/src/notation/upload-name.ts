/** What people and programs add to the name of a file when they save it again. */
const ADDED = new RegExp(
  '[\\s._-]*(?:\\(\\d+\\)|(?:copy|kopie)(?: ?\\d+)?|corrected|corrections?|fixed|final|new|latest|updated|' +
    'retry|highlighted|v\\d+|rev\\d+)$',
  'u',
)

/**
 * Equal for names of which one was probably made from the other: without the extension and without additions
 * such as "(1)", "- Copy", "_v2" or "-corrected". Other digits stay, because they often name a month. Ours.
 */
export function uploadNameKey(fileName: string): string {
  let key = fileName
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\.[^.]*$/u, '')
    .trim()
  for (
    let shorter = key.replace(ADDED, '');
    shorter !== key && shorter !== '';
    shorter = key.replace(ADDED, '')
  )
    key = shorter
  return key.replace(/[\s._-]+/gu, ' ')
}
