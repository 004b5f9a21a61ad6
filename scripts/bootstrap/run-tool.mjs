import { spawn } from 'node:child_process'
import { pinnedNode, root } from './paths.mjs'

/** Runs the pinned Node from the root. Returns exit code and output; with `stdio: 'inherit'` it prints. */
export function runTool(args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(pinnedNode, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
