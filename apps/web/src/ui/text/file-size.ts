const units = ['bytes', 'KB', 'MB', 'GB'] as const

/** A size as people write it: "812 bytes", "4.2 KB", "25 MB". Steps of 1024, as file managers count. */
export function fileSize(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1
  return `${Number(size.toFixed(digits)).toLocaleString('en')} ${units[unit]}`
}
