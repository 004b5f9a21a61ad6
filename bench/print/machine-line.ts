import { cpus, release, totalmem, type } from 'node:os'

export function machineLine(): string {
  const [{ model }] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const { node, v8 } = process.versions
  return `${cpus().length} × ${model.trim()}, ${memory} GiB, ${type()} ${release()}, Node ${node}, V8 ${v8}`
}
