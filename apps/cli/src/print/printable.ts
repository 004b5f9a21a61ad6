/** Text of a file for a terminal: control characters, which could control it, are escaped. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (character) => controls[character] ?? `\\x${hex(character)}`,
  )
}

const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0')
