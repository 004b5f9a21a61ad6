import { unzipSync } from 'fflate'

/** The parts of an archive as texts, in order. */
export const readZip = (bytes: Uint8Array): Map<string, string> =>
  new Map(Object.entries(unzipSync(bytes)).map(([name, content]) => [name, Buffer.from(content).toString()]))
