import { dictionarySlug } from '@veridict/contract/notation/dictionary-slug'
import { paths } from './paths.ts'

/** One slug per dictionary and visit, so that a link stays the same while it is looked at. */
const slugs = new Map<number, string>()

/** Address of the edit screen of a dictionary, its id encoded behind random characters. Spec §2. */
export function dictionaryPath(id: number): string {
  const slug = slugs.get(id) ?? dictionarySlug(id, randomUuid())
  slugs.set(id, slug)
  return paths.dictionaryEdit(slug)
}

/** `crypto.randomUUID` exists only on secure origins; these characters need not be hard to guess. */
function randomUuid(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
