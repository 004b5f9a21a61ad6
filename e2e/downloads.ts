import { strFromU8, unzipSync } from 'fflate'
import { readSheet } from 'read-excel-file/node'

/** A sheet of a workbook as texts, read by another library than the engine. Blank cells are ''. */
export async function sheetTexts(workbook: Uint8Array, sheet: number): Promise<string[][]> {
  const rows = await readSheet(Buffer.from(workbook), sheet)
  return rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))))
}

/** The marks of the first sheet: the cells with a fill, and the notes by cell. */
export function marksOf(workbook: Uint8Array): { filled: Set<string>; notes: Map<string, string> } {
  const parts = unzipSync(workbook)
  const text = (pattern: RegExp) => {
    const name = Object.keys(parts).find((part) => pattern.test(part))
    return name === undefined ? '' : strFromU8(parts[name]!)
  }
  return {
    filled: filledCells(text(/worksheets\/sheet1\.xml$/), text(/styles[^/]*\.xml$/)),
    notes: new Map(
      [
        ...text(/comments[^/]*\.xml$/).matchAll(/<comment [^>]*ref="([A-Z]+\d+)"[^>]*>(.*?)<\/comment>/gs),
      ].map((match) => [match[1]!, match[2]!.replaceAll(/<[^>]*>/g, '')]),
    ),
  }
}

function filledCells(sheet: string, styles: string): Set<string> {
  const fills = [...styles.matchAll(/<fill>.*?<\/fill>/gs)].map((match) => match[0])
  const formats = [...(/<cellXfs.*?<\/cellXfs>/s.exec(styles)?.[0] ?? '').matchAll(/<xf [^>]*>/g)].map(
    (match) => match[0],
  )
  const isFilled = (style: number) => {
    const fill = fills[Number(/fillId="(\d+)"/.exec(formats[style] ?? '')?.[1] ?? 0)] ?? ''
    return fill.includes('solid')
  }
  const cells = [...sheet.matchAll(/<c ([^>]*?)\/?>/g)].map((match) => match[1]!)
  return new Set(
    cells
      .filter((attributes) => isFilled(Number(/(?:^| )s="(\d+)"/.exec(attributes)?.[1] ?? 0)))
      .map((attributes) => /(?:^| )r="([A-Z]+\d+)"/.exec(attributes)![1]!),
  )
}
