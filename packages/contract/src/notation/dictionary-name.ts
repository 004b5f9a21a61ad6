import { dictionaryLimits } from '#limits.ts'

/** A file's name without its ending, underscores as spaces. May be empty. */
export function dictionaryNameOf(fileName: string): string {
  const base = fileName.replace(/\.[^.]*$/, '')
  return [...base.replaceAll('_', ' ').replace(/\s+/g, ' ').trim()]
    .slice(0, dictionaryLimits.maxNameLength)
    .join('')
    .trim()
}
