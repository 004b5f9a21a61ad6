import { styleText } from 'node:util'

export type Paint = (style: 'green' | 'red' | 'bold' | 'dim', text: string) => string

/** Colours only where `stream` is a terminal that shows them. */
export const painterOf =
  (stream: NodeJS.WriteStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream, validateStream: true })
