import { solidFillTag, WINDOW_COLOR } from '#formats/spreadsheet/style-sheet.ts'

/**
 * The red, yellow and green fills, recognized after a spreadsheet program has saved the workbook. Excel keeps
 * a fill as it is; LibreOffice keeps the first colour of a solid fill and overwrites the second, which is not
 * visible. So the first colour marks a fill as ours, as one of 256 reds, yellows or greens that people hardly
 * use. The second holds the colour that our fill replaced. The first is chosen by a checksum of the second,
 * so that an overwritten second colour is detected.
 */

/** A colour as the attributes of its element: `rgb="FFEEEEEE"`, `theme="4" tint="0.4"`. */
type Color = string

/** null for patterns, gradients, none. `covers`: the solid colour that ours replaced, null for none. */
export type Fill =
  | { readonly kind: MarkKind; readonly covers: Color | null }
  | { readonly kind: 'solid'; readonly color: Color }
  | null

/** The digits of a checksum (0 to 255) in a colour: a red for `bad`, a yellow for `warning`, else a green. */
const MARKS = {
  bad: { color: (high: string, low: string) => `FFFF8${high}9${low}`, ours: /^rgb="FFFF8.9."$/ },
  warning: { color: (high: string, low: string) => `FFFFE${high}7${low}`, ours: /^rgb="FFFFE.7."$/ },
  corrected: { color: (high: string, low: string) => `FFA${high}F0B${low}`, ours: /^rgb="FFA.F0B."$/ },
} as const
export type MarkKind = keyof typeof MARKS
const markKinds = Object.keys(MARKS) as readonly MarkKind[]
const FILL_START = /<(?:[\w.-]+:)?patternFill\b[^>]*?\spatternType\s*=\s*["']solid["']/
const FIRST_COLOR = /<(?:[\w.-]+:)?fgColor\b([^>]*?)\/?>/
const SECOND_COLOR = /<(?:[\w.-]+:)?bgColor\b([^>]*?)\/?>/
const COLOR_ATTRIBUTES = /(?:^|\s)(auto|indexed|rgb|theme|tint)\s*=\s*["']([^"'<>&]*)["']/g

/** Our fill in place of another, as XML. `prefix` is that of its elements, '' or with a colon. */
export function markFillTag(kind: MarkKind, covered: Fill, prefix = ''): string {
  const replaced = (covered?.kind === 'solid' ? covered.color : covered?.covers) ?? WINDOW_COLOR
  return solidFillTag(markColor(kind, replaced), replaced, prefix)
}

/** The looks of conditional formats: of a bad cell, of a warning, and of a cell that was bad and is right. */
export const LOOK_COLORS = [
  markColor('bad', WINDOW_COLOR),
  markColor('warning', WINDOW_COLOR),
  'rgb="FFFFFFFF"',
] as const

export function readFill(xml: string): Fill {
  if (!FILL_START.test(xml)) return null
  const color = readColor(FIRST_COLOR.exec(xml))
  if (color === null) return null
  const kind = markKind(color)
  if (kind === null) return { kind: 'solid', color }
  const secondColor = readColor(SECOND_COLOR.exec(xml))
  const isOriginal =
    secondColor !== null &&
    secondColor !== WINDOW_COLOR &&
    markKind(secondColor) === null &&
    markColor(kind, secondColor) === color
  return { kind, covers: isOriginal ? secondColor : null }
}

function markKind(color: Color): MarkKind | null {
  return markKinds.find((kind) => MARKS[kind].ours.test(color)) ?? null
}

/** The attributes in a fixed order and spelling; null if there is no colour. */
function readColor(tag: RegExpExecArray | null): Color | null {
  if (tag === null) return null
  const attributes = [...tag[1].matchAll(COLOR_ATTRIBUTES)].map(
    ([, name, value]) => `${name}="${name === 'rgb' ? value.toUpperCase() : value}"`,
  )
  return attributes.length === 0 ? null : attributes.toSorted().join(' ')
}

/** The first colour of our fill: its digits are a checksum of the colour that it replaces. */
function markColor(kind: MarkKind, replaced: Color): Color {
  let sum = 0
  for (let index = 0; index < replaced.length; index++) sum = (sum * 31 + replaced.charCodeAt(index)) & 0xff
  const hex = (value: number) => value.toString(16).toUpperCase()
  return `rgb="${MARKS[kind].color(hex(sum >> 4), hex(sum & 0xf))}"`
}
