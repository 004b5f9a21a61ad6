import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DCLinter } from 'dclint'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllDocuments } from 'yaml'

/**
 * Checks the files of `deploy` with the published schemas of compose and Kubernetes; neither program and no
 * network is needed. A misspelled property is an error here; Kubernetes itself would ignore it.
 */
const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

function temporaryFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, 'veridict-schemas-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The errors that the JSON schema of the compose specification gives; without dclint's rules of style. */
function findComposeErrors(text: string): string[] {
  const file = join(temporaryFolder(tmpdir()), 'compose.yaml')
  writeFileSync(file, text)
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] })
  // The type is written here because dclint's own declarations do not resolve: their imports have no endings.
  const results = linter.lintFiles([file], false) as { messages: { rule: string; message: string }[] }[]
  const messages = results.flatMap((result) => result.messages)
  return messages.filter(({ rule }) => rule === 'invalid-schema').map(({ message }) => message)
}

describe('deploy/compose.yaml', () => {
  const text = read('deploy/compose.yaml')

  it('fits the schema of the compose specification', () => {
    expect(findComposeErrors(text)).toEqual([])
  })

  it.for([
    { fault: 'a misspelled property', from: 'restart:', to: 'restrat:' },
    { fault: 'a value of another type', from: 'read_only: true', to: 'read_only: [true]' },
  ])('would not fit it with $fault', ({ from, to }) => {
    expect(findComposeErrors(text.replace(from, to))).toHaveLength(1)
  })
})

type KubernetesObject = { apiVersion: string; kind: string }

/**
 * Kinds that Kubernetes itself does not define, with the fields that our files use and no others, because
 * their packages are 20 MB or do not exist. Names and types are those of the projects' own definitions.
 * - Kustomization: github.com/kubernetes-sigs/kustomize, api/types/kustomization.go and image.go; `replicas`:
 *   kubectl.docs.kubernetes.io/references/kustomize/kustomization/replicas
 * - ScaledObject: github.com/kedacore/keda, apis/keda/v1alpha1/scaledobject_types.go and
 *   scaletriggers_types.go; the metadata of its trigger: keda.sh/docs/latest/scalers/prometheus
 */
const thirdPartyKinds = ['Kustomization', 'ScaledObject']
const thirdPartyTypes = `
  import type { HorizontalPodAutoscalerBehavior } from 'kubernetes-types/autoscaling/v2'
  import type { ObjectMeta } from 'kubernetes-types/meta/v1'
  export interface Kustomization {
    apiVersion: 'kustomize.config.k8s.io/v1beta1'
    kind: 'Kustomization'
    namespace?: string
    resources?: string[]
    replicas?: { name: string; count: number }[]
    images?: { name: string; newName?: string; newTag?: string }[]
  }
  export interface ScaledObject {
    apiVersion: 'keda.sh/v1alpha1'
    kind: 'ScaledObject'
    metadata: ObjectMeta
    spec: {
      scaleTargetRef: { name: string }
      minReplicaCount?: number
      maxReplicaCount?: number
      advanced?: { horizontalPodAutoscalerConfig?: { behavior?: HorizontalPodAutoscalerBehavior } }
      triggers: {
        type: 'prometheus'
        metricType?: 'AverageValue' | 'Value'
        metadata: { serverAddress: string; query: string; threshold: string }
      }[]
    }
  }`

const objectsOf = (text: string): KubernetesObject[] =>
  parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject)

/** `networking.k8s.io/v1` is `networking/v1` in the package, and `v1` is `core/v1`. */
function moduleOf({ apiVersion, kind }: KubernetesObject): string {
  if (thirdPartyKinds.includes(kind)) return './third-party-types'
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
  return `kubernetes-types/${group?.split('.')[0]}/${version}`
}

/** The compiler's errors for each file: its objects are written as literals with their Kubernetes types. */
function findTypeErrors(files: Record<string, string>): Record<string, string[]> {
  // Below the root, because the compiler must find the package kubernetes-types.
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const folder = temporaryFolder(join(ROOT, '.cache'))
  const sources = Object.entries(files).map(([name, text]) => {
    const literals = objectsOf(text).map((object, index) => {
      const type = `import('${moduleOf(object)}').${object.kind}`
      return `export const object${index}: ${type} = ${JSON.stringify(object, null, 2)}\n`
    })
    writeFileSync(join(folder, `${name}.ts`), literals.join(''))
    return `${name}.ts`
  })
  writeFileSync(join(folder, 'third-party-types.ts'), thirdPartyTypes)
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, types: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ files: sources, compilerOptions }))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '--project', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const lines = stdout.split('\n').filter((line) => line !== '')
  return Object.fromEntries(
    sources.map((source) => [
      source.slice(0, -'.ts'.length),
      lines.filter((line) => line.startsWith(source)),
    ]),
  )
}

describe('deploy/kubernetes', () => {
  const files = globSync('deploy/kubernetes/*.yaml', { cwd: ROOT })
  const web = read('deploy/kubernetes/web.yaml')
  const scaling = read('deploy/kubernetes/worker-scaling.yaml')

  it('has objects that fit the types of the Kubernetes API; the same check finds planted errors', () => {
    const planted = {
      misspelled: web.replace('terminationGracePeriodSeconds', 'terminationGraceSeconds'),
      quoted: web.replace(/containerPort: (\d+)/, "containerPort: '$1'"),
      unknown: web.replace('apiVersion: apps/v1', 'apiVersion: apps/v3'),
      misspelledImage: read('deploy/kubernetes/kustomization.yaml').replace('newTag', 'tag'),
      misspelledScaling: scaling.replace('minReplicaCount', 'minReplicas'),
      misspelledBehavior: scaling.replace('stabilizationWindowSeconds', 'stabilizationSeconds'),
      number: scaling.replace("threshold: '60'", 'threshold: 60'),
    }
    const ours = Object.fromEntries(files.map((file, index) => [`file-${index}`, read(file)]))
    const errorsByFile = findTypeErrors({ ...ours, ...planted })
    expect(files.length).toBeGreaterThan(0)
    for (const name of Object.keys(ours)) expect(errorsByFile[name], name).toEqual([])
    for (const name of Object.keys(planted)) expect(errorsByFile[name], name).toHaveLength(1)
  })
})
