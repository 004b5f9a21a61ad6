/**
 * Text of a file as a terminal may safely show it: control characters, which could command the terminal, are
 * spelled out.
 */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (character) => controls[character] ?? `\\x${hex(character)}`,
  )
}

const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0')
