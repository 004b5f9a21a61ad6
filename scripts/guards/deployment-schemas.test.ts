import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DCLinter } from 'dclint'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllDocuments } from 'yaml'

/**
 * The files of `deploy` against what compose and Kubernetes publish, without either and without a network. A
 * misspelled property is an error here; Kubernetes itself would ignore it.
 */
const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

function temporaryFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, 'veridict-schemas-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Messages of the compose specification's JSON schema. dclint's rules of style are left out. */
function findComposeErrors(text: string): string[] {
  const file = join(temporaryFolder(tmpdir()), 'compose.yaml')
  writeFileSync(file, text)
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] })
  // Its types import without the endings that our resolution of modules asks for.
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
const kindsOfOthers = ['Kustomization', 'ScaledObject']
const typesOfOthers = `
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
  if (kindsOfOthers.includes(kind)) return './others'
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
  return `kubernetes-types/${group?.split('.')[0]}/${version}`
}

/** What the compiler says of each file, with its objects as literals of their types. */
function findTypeErrors(files: Record<string, string>): Record<string, string[]> {
  // Below the root, for the compiler to find the package.
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
  writeFileSync(join(folder, 'others.ts'), typesOfOthers)
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

  it('has objects that fit the types of the Kubernetes API, and is seen where it does not', () => {
    const found = findTypeErrors({
      ...Object.fromEntries(files.map((file, index) => [`file-${index}`, read(file)])),
      misspelled: web.replace('terminationGracePeriodSeconds', 'terminationGraceSeconds'),
      quoted: web.replace(/containerPort: (\d+)/, "containerPort: '$1'"),
      unknown: web.replace('apiVersion: apps/v1', 'apiVersion: apps/v3'),
      misspelledImage: read('deploy/kubernetes/kustomization.yaml').replace('newTag', 'tag'),
      misspelledScaling: scaling.replace('minReplicaCount', 'minReplicas'),
      misspelledBehavior: scaling.replace('stabilizationWindowSeconds', 'stabilizationSeconds'),
      number: scaling.replace("threshold: '60'", 'threshold: 60'),
    })
    const {
      misspelled,
      quoted,
      unknown,
      misspelledImage,
      misspelledScaling,
      misspelledBehavior,
      number,
      ...ours
    } = found
    expect(ours).toEqual(Object.fromEntries(files.map((_, index) => [`file-${index}`, []])))
    const faults = {
      misspelled,
      quoted,
      unknown,
      misspelledImage,
      misspelledScaling,
      misspelledBehavior,
      number,
    }
    for (const [fault, errors] of Object.entries(faults)) expect(errors, fault).toHaveLength(1)
  })
})
