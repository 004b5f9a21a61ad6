import { fileURLToPath } from 'node:url'
import { main } from 'assemblyscript/asc'
import { writeFile } from 'node:fs/promises'

/** Characters of one line of the file with the compiled code. */
const LINE = 100
const source = fileURLToPath(new URL('../kernel/kernel.ts', import.meta.url))
const compiled = new URL('../src/fast-path/kernel-code.json', import.meta.url)

/** Compiles the kernel from its source: lines of base64. */
export async function compileKernel(): Promise<string[]> {
  let code: Uint8Array | null = null
  const { error, stderr } = await main(
    [source, '--outFile', 'kernel.wasm', '-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'],
    { writeFile: (_, content) => void (code = content as Uint8Array) },
  )
  if (error !== null || code === null) throw new Error(stderr.toString())
  return (code as Uint8Array).toBase64().match(new RegExp(`.{1,${LINE}}`, 'g'))!
}

// node packages/engine/test/compile-kernel.ts
if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(compiled, `${JSON.stringify(await compileKernel(), null, 2)}\n`)
