// Types of what we call in packages that bring none.

declare module 'tableschema' {
  import type { Readable } from 'node:stream'
  export class Table {
    static load(path: string, options: { schema: object }): Promise<Table>
    iter(options: { stream: true; forceCast: true }): Promise<Readable>
  }
}
