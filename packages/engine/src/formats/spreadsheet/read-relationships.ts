import { openSmallPart } from '#formats/spreadsheet/open-small-part.ts'
import { elementsNamed } from '#formats/xml/xml-elements.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'

/** A link from one part to another (OPC). */
export type Relationship = {
  readonly id: string
  /** The last segment of the type (`worksheet`). The rest, `namespace`, is another one in strict files. */
  readonly type: string
  readonly namespace: string
  /** The part's name, absolute, without a leading slash; '' if the link leaves the file. */
  readonly target: string
}

/** The links of a part ('' for the whole package), in order, without those that leave the file. */
export const readRelationships = async (archive: ZipArchive, partName: string): Promise<Relationship[]> =>
  (await readAllRelationships(archive, partName)).filter(({ target }) => target !== '')

/** All relationships of a part, also the links that leave the file. */
export async function readAllRelationships(archive: ZipArchive, partName: string): Promise<Relationship[]> {
  const entry = archive.directory.find(relationshipsPart(partName))
  if (entry === undefined) return []
  const tokens = await openSmallPart(archive, entry)
  const found: Relationship[] = []
  for (const { tag } of elementsNamed(tokens, 'Relationship')) {
    const isExternal = tag.attribute('TargetMode') === 'External'
    const type = tag.attribute('Type') ?? ''
    found.push({
      id: tag.attribute('Id') ?? '',
      type: type.slice(type.lastIndexOf('/') + 1),
      namespace: type.slice(0, Math.max(0, type.lastIndexOf('/'))),
      target: isExternal ? '' : resolveTarget(archive, partName, tag.attribute('Target') ?? ''),
    })
  }
  return found
}

/** xl/workbook.xml → xl/_rels/workbook.xml.rels */
export function relationshipsPart(partName: string): string {
  const slash = partName.lastIndexOf('/') + 1
  return `${partName.slice(0, slash)}_rels/${partName.slice(slash)}.rels`
}

function resolveTarget(archive: ZipArchive, partName: string, target: string): string {
  const path = target.replaceAll('\\', '/')
  const segments = path.startsWith('/') ? [] : partName.split('/').slice(0, -1)
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  const name = segments.join('/')
  return archive.directory.find(name) === undefined ? withoutPercent(name) : name
}

/** Targets are URIs: a space in a part's name may be written %20. */
function withoutPercent(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
