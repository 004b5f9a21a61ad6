import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readEnv, settings } from '../../apps/server/src/env.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
/** How long a stop takes after the last request has ended: docs/OPERATIONS.md#stopping. */
const STOP_SECONDS = 18

type Variables = Record<string, string | number>
/** The parts of a compose service and of a Kubernetes object that are compared. */
type Service = {
  image: string
  command?: string[]
  entrypoint?: string[]
  environment?: Variables
  stop_grace_period?: string
}
type Container = {
  image: string
  command?: string[]
  args?: string[]
  securityContext: object
  resources: Resources
}
type Resources = { limits: { memory: string } }
type PodSpec = { containers: Container[]; securityContext: object; terminationGracePeriodSeconds?: number }
type KubernetesObject = {
  kind: string
  metadata: { name: string }
  data?: Variables
  stringData?: Variables
  spec: { template: { spec: PodSpec } }
}

const { version, dependencies } = JSON.parse(read('package.json')) as {
  version: string
  dependencies: Record<string, string>
}
const services = (
  parse(read('deploy/compose.yaml'), { merge: true }) as { services: Record<string, Service> }
).services
const portalServices = Object.entries(services).filter(([, { image }]) => image === 'veridict')
const manifests = globSync('deploy/kubernetes/*.yaml', { cwd: ROOT }).flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => document.toJS() as KubernetesObject),
)
const pods = manifests
  .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  .map(({ metadata, spec }) => ({ name: metadata.name, pod: spec.template.spec }))
const configMap = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}
const secret = manifests.find(({ kind }) => kind === 'Secret')?.stringData ?? {}

/** A job cannot be changed, so each version has one of its own. */
const migrateName = `migrate-${version.replaceAll('.', '-')}`

/** Amazon's SDK reads these itself; docs/ARCHITECTURE.md names them. */
const isAwsCredential = (name: string) => /^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY)$/.test(name)
const unknownSettings = (variables: Variables) =>
  Object.keys(variables).filter((name) => !isAwsCredential(name) && !(name in settings.shape))

describe('The Containerfile', () => {
  const text = read('Containerfile')
  const instructions = text
    .replaceAll(/\\\n/g, '')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
  const copies = instructions
    .filter((line) => /^COPY (?!--from)/.test(line))
    .flatMap((line) => line.split(/\s+/).slice(1, -1))

  it('uses the Node version of package.json in every stage', () => {
    const bases = instructions
      .filter((line) => line.startsWith('FROM node'))
      .map((line) => line.split(/[:-]/)[1])
    expect(bases.length).toBeGreaterThan(1)
    expect(new Set(bases)).toEqual(new Set([dependencies.node]))
  })

  it('copies files that exist', () => {
    expect(copies.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('installs with the package.json of every workspace', () => {
    const workspaces = globSync('{apps,packages}/*/package.json', { cwd: ROOT })
    expect(workspaces.filter((file) => !copies.includes(file))).toEqual([])
  })

  it('starts the program itself, and not as root', () => {
    expect(instructions.at(-1)).toBe('ENTRYPOINT ["node", "apps/server/src/main.ts"]')
    expect(instructions.filter((line) => line.startsWith('USER'))).toEqual(['USER 1000:1000'])
  })

  it('fills the compile cache as the account that runs the program', () => {
    const place = (begin: string) => instructions.findIndex((line) => line.startsWith(begin))
    const filled = place('RUN node apps/server/src/commands/fill-compile-cache.ts')
    expect(filled).toBeGreaterThan(place('USER'))
    expect(filled).toBeGreaterThan(instructions.findLastIndex((line) => line.startsWith('COPY')))
    expect(instructions.find((line) => line.includes('NODE_COMPILE_CACHE=/app/compiled'))).toBeDefined()
  })
})

describe('deploy/compose.yaml', () => {
  it('starts web servers, workers and the migrations', () => {
    expect(portalServices.map(([name]) => name)).toEqual([
      'portal-1',
      'portal-2',
      'worker-1',
      'worker-2',
      'migrate',
    ])
  })

  it.for(portalServices)('gives %s settings that exist', ([, { environment }]) => {
    expect(unknownSettings(environment!)).toEqual([])
  })

  it('has settings that the program accepts', () => {
    const names = read('deploy/example.env').match(/^[A-Z_]+(?==)/gm)!
    const secrets = Object.fromEntries(names.map((name) => [name, 'Seven!Otters27']))
    const variables = {
      ...secrets,
      ADMIN_EMAIL: 'admin@example.test',
      DATABASE_PASSWORD: 'seven',
      SITE: 'localhost',
    }
    const env = Object.fromEntries(
      Object.entries(portalServices[0][1].environment!).map(([name, value]) => [
        name,
        filledIn(value, variables),
      ]),
    )
    expect(readEnv({ ...env, METRICS_TOKEN: 'long-enough-for-a-token' }).isDemo).toBe(false)
  })

  it.for(portalServices)('gives %s enough time to stop', ([, service]) => {
    const { DRAIN_SECONDS, FINISH_SECONDS } = service.environment!
    expect(Number.parseInt(service.stop_grace_period!, 10)).toBeGreaterThanOrEqual(
      Number(DRAIN_SECONDS) + Number(FINISH_SECONDS) + STOP_SECONDS,
    )
  })

  it('asks only for variables that deploy/example.env lists', () => {
    const used = [...read('deploy/compose.yaml').matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name)
    const listed = read('deploy/example.env').match(/^[A-Z_]+(?==)/gm)
    expect([...new Set(used)].toSorted()).toEqual(listed?.toSorted())
  })
})

/** Replaces `${NAME:?}` and `${NAME:-default}` as compose does. */
function filledIn(value: string | number, variables: Record<string, string>): string {
  return String(value).replaceAll(/\$\{(\w+):(?:\?|-[^}]*)\}/g, (_, name: string) => variables[name])
}

describe('deploy/kubernetes', () => {
  it('has settings that exist and that the program accepts', () => {
    const env = { ...configMap, ...secret, ADMIN_PASSWORD: 'Seven!Otters27' }
    expect(unknownSettings(env)).toEqual([])
    expect(readEnv(env as Record<string, string>).isDemo).toBe(false)
  })

  it('runs web servers, workers and the migrations', () => {
    const commands = pods.map(({ name, pod: { containers } }) => [
      name,
      ...(containers[0].args ?? containers[0].command ?? []),
    ])
    expect(commands.toSorted()).toEqual([
      [migrateName, 'node', 'apps/server/src/commands/migrate.ts'],
      ['web', '--roles=web'],
      ['worker', '--roles=worker'],
    ])
  })

  it.for(pods)('runs $name without any rights, and without a folder to write to', ({ pod }) => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(pod.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  it.for(pods.filter(({ name }) => name !== migrateName))('gives $name enough time to stop', ({ pod }) => {
    const { DRAIN_SECONDS, FINISH_SECONDS } = configMap
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      Number(DRAIN_SECONDS) + Number(FINISH_SECONDS) + STOP_SECONDS,
    )
  })

  it('runs this version', () => {
    const [kustomization] = manifests.filter(({ kind }) => kind === 'Kustomization') as unknown as {
      images: { newTag: string }[]
    }[]
    expect(kustomization.images.map(({ newTag }) => newTag)).toEqual([version])
  })
})

describe('deploy/helm', () => {
  const values = parse(read('deploy/helm/values.yaml')) as { settings: Variables }
  const templates = globSync('deploy/helm/templates/*', { cwd: ROOT }).map(read).join('\n')

  it('has the version of the program', () => {
    const chart = parse(read('deploy/helm/Chart.yaml')) as { version: string; appVersion: string }
    expect([chart.version, chart.appVersion]).toEqual([version, version])
  })

  it('has settings that exist and that the program accepts', () => {
    expect(unknownSettings(values.settings)).toEqual([])
    const texts = Object.entries(values.settings).map(([name, value]) => [name, String(value)])
    const env = { ...Object.fromEntries(texts), ...secret, ADMIN_PASSWORD: 'Seven!Otters27' }
    expect(readEnv(env as Record<string, string>).isDemo).toBe(false)
  })

  it('has a value for each name in its templates', () => {
    const paths = [...templates.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path ?? '')
    const isMissing = (path: string) =>
      path
        .split('.')
        .reduce((found, name) => (found as Record<string, unknown>)?.[name], values as unknown) === undefined
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter(isMissing)).toEqual([])
  })
})

describe('The limits of memory', () => {
  const worker = pods.find(({ name }) => name === 'worker')!.pod.containers[0].resources
  const chart = parse(read('deploy/helm/values.yaml')) as {
    settings: Variables
    worker: { resources: Resources }
  }
  /** The heap of a validator is 512 MiB; files that are read, and the program itself, are beside it. */
  const PROCESS_MEBIBYTES = 768

  it.for([
    ['deploy/kubernetes', configMap, worker],
    ['deploy/helm', chart.settings, chart.worker.resources],
  ] as const)(
    'F39: give a worker the memory of all its validators and of itself: %s',
    ([, { VALIDATOR_PROCESSES }, { limits }]) => {
      // One more is for other companies, and one for tried changes.
      const processes = Number(VALIDATOR_PROCESSES) + 2 + 1
      expect(Number(/^(\d+)Gi$/.exec(limits.memory)?.[1]) * 1024).toBeGreaterThanOrEqual(
        processes * PROCESS_MEBIBYTES,
      )
    },
  )
})

describe('deploy/systemd', () => {
  const units = globSync('deploy/systemd/*.service', { cwd: ROOT })
  const programs = units.flatMap((file) => [...read(file).matchAll(/\/opt\/veridict\/((?:apps|docs)\S+)/g)])

  it('starts programs that exist', () => {
    expect(programs.length).toBeGreaterThan(4)
    expect(programs.map(([, path]) => path ?? '').filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  // Migrations need no folder. The one by default is below the working directory, which nobody may write.
  it.for(units.filter((file) => !file.includes('migrate')))(
    'gives %s a DATA_DIR that it can write',
    (file) => {
      const folder = /DATA_DIR=\/var\/lib\/(\S+)$/m.exec(read(file))?.[1]
      expect(/^StateDirectory=(.*)$/m.exec(read(file))?.[1]?.split(' ')).toContain(folder)
    },
  )

  it.for(units.filter((file) => file.includes('@')))('gives %s enough time to stop', (file) => {
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(read(file))?.[1])
    const example = Object.fromEntries(
      [...read('deploy/systemd/settings.env').matchAll(/^([A-Z_]+)='?(.*?)'?$/gm)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
    const { drainSeconds, finishSeconds } = readEnv(example)
    expect(seconds).toBeGreaterThanOrEqual(drainSeconds + finishSeconds + STOP_SECONDS)
  })
})

describe('Metrics', () => {
  const operations = read('docs/OPERATIONS.md')
  /** The rows of the table by name; a test of the server compares it with what the program gives. */
  const rows = new Map(
    [...operations.matchAll(/^\| `(veridict_\w+)[^`]*` \| (\w+) \|.*$/gm)].map(([row, name, kind]) => [
      name,
      { row, kind },
    ]),
  )
  const files = [
    'deploy/grafana/veridict.json',
    'deploy/prometheus/alerts.yaml',
    'deploy/kubernetes/worker-scaling.yaml',
  ]

  it.for(files)('in %s are metrics of the program', (file) => {
    const names = [...read(file).matchAll(/\b(veridict_\w+?)(_bucket|_count|_sum)?\b(?!-)/g)]
    expect(names.length).toBeGreaterThan(0)
    const unknown = names.filter(([, name, part]) => {
      const kind = rows.get(name)?.kind
      return kind === undefined || (kind === 'histogram') !== (part !== undefined)
    })
    expect(unknown.map(([name]) => name)).toEqual([])
  })

  it.for(files)('in %s have labels that docs/OPERATIONS.md lists', (file) => {
    const labels = [...read(file).matchAll(/(veridict_\w+)\{(\w+)=\\?"(\w+)\\?"\}/g)]
    const unknown = labels.filter(([, name, label, value]) => {
      const row = rows.get(name)?.row ?? ''
      // Prometheus has a label "job" of its own, and names that of a metric "exported_job".
      const own = label === 'exported_job' ? 'job' : label
      return label === 'job' || !row.includes(`{${own}}`) || !row.includes(`\`${value}\``)
    })
    expect(unknown.map(([text]) => text)).toEqual([])
  })

  it('have an alert for each section of the runbook, and a section for each alert, which links to it', () => {
    const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as {
      groups: { rules: { alert: string; annotations: { runbook_url: string } }[] }[]
    }
    const alerts = groups.flatMap(({ rules }) => rules)
    const sections = [...operations.matchAll(/^### (Veridict\w+)$/gm)].map(([, name]) => name ?? '')
    expect(sections).toEqual(alerts.map(({ alert }) => alert))
    expect(alerts.map(({ annotations }) => annotations.runbook_url)).toEqual(
      sections.map((name) => `docs/OPERATIONS.md#${name.toLowerCase()}`),
    )
  })
})
