/** An element with its descendants. Names are local: `x:row` is `row`. */
export type XmlElement = {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The text of the element itself, entities not resolved. */
  readonly text: string
}

const NAME = '[A-Za-z_][\\w.:-]*'
const TOKEN = new RegExp(
  '<\\?[^]*?\\?>|<!--[^]*?-->|<!\\[CDATA\\[[^]*?\\]\\]>|' +
    `<(/?)(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>|[^<]+`,
  'y',
)
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g')
// oxlint-disable-next-line no-control-regex
const NO_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);)/i

type Open = {
  name: string
  tag: string
  attributes: Map<string, string>
  children: XmlElement[]
  text: string
  prefixes: ReadonlySet<string>
}

/** Reads XML as strictly as a spreadsheet program does; throws if it is not well-formed. */
export function parseXml(xml: string): XmlElement {
  const root: Open = {
    name: '',
    tag: '',
    attributes: new Map(),
    children: [],
    text: '',
    prefixes: new Set(['xml', 'xmlns']),
  }
  const open = [root]
  if (NO_XML.test(xml)) throw new Error(`holds ${JSON.stringify(NO_XML.exec(xml)![0])}`)
  TOKEN.lastIndex = 0
  const body = xml.replace(/^\ufeff/, '')
  while (TOKEN.lastIndex < body.length) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(body)
    if (match === null) throw new Error(`is not well-formed at ${JSON.stringify(body.slice(at, at + 60))}`)
    const [token, closing, tag, attributes, empty] = match
    const inner = open[open.length - 1]
    if (tag === undefined) inner.text += token.startsWith('<') ? '' : token
    else if (closing === '/') {
      if (inner.tag !== tag) throw new Error(`closes ${tag} where ${inner.tag} is open`)
      open.pop()
    } else {
      const element: Open = {
        ...opened(tag, attributesIn(attributes, tag), inner.prefixes),
        children: [],
        text: '',
      }
      inner.children.push(element)
      if (empty === '') open.push(element)
    }
  }
  if (open.length > 1) throw new Error(`ends within ${open[open.length - 1].tag}`)
  if (root.children.length !== 1) throw new Error(`has ${root.children.length} elements at its root`)
  return root.children[0]
}

/** Opens an element. Every prefix in it must be declared, those of `mc:Ignorable` included. */
function opened(
  tag: string,
  attributes: Map<string, string>,
  outer: ReadonlySet<string>,
): Omit<Open, 'children' | 'text'> {
  const declared = [...attributes.keys()].filter((name) => name.startsWith('xmlns:')).map(localName)
  const prefixes = declared.length === 0 ? outer : new Set([...outer, ...declared])
  const used = [tag, ...attributes.keys()]
    .filter((name) => name.includes(':'))
    .map((name) => name.slice(0, name.indexOf(':')))
  const ignorable = [...attributes]
    .filter(([name]) => name.endsWith(':Ignorable'))
    .flatMap(([, names]) => names.trim().split(/\s+/))
  for (const prefix of [...used, ...ignorable]) {
    if (prefix !== '' && !prefixes.has(prefix))
      throw new Error(`${tag} uses the prefix ${prefix}, which is not declared`)
  }
  return { name: localName(tag), tag, attributes, prefixes }
}

function attributesIn(text: string, tag: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name, double, single] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new Error(`${tag} has ${name} twice`)
    attributes.set(name, double ?? single)
  }
  return attributes
}

const localName = (tag: string) => tag.slice(tag.indexOf(':') + 1)

/** An attribute with any prefix. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  for (const [key, value] of element.attributes)
    if (!key.startsWith('xmlns') && localName(key) === name) return value
  return undefined
}

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? []

/** Every element of that name, at any depth. */
export function* elementsOf(element: XmlElement, name: string): Generator<XmlElement> {
  if (element.name === name) yield element
  for (const child of element.children) yield* elementsOf(child, name)
}
