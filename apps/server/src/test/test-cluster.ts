import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { clusterFolder } from '#platform/database/embedded/cluster.ts'
import { findPostmaster, stopPostmaster } from '#platform/database/embedded/postmaster.ts'
import { isAlive } from '#platform/database/embedded/processes.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { migrate } from '#platform/database/migrate.ts'
import { databaseParent } from '#test/database-parent.ts'
import { TEMPLATE_DATABASE } from '#test/template-database.ts'

const PREFIX = 'veridict-cluster-'

/** Vitest's global setup: one temporary cluster for the whole run, migrated once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const parent = databaseParent()
  await removeClustersOfKilledRuns(parent)
  const dataDir = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
  // Started by root, the server runs under another account, which must be able to enter the folder.
  chmodSync(dataDir, 0o755)
  const cluster = await startEmbeddedPostgres({ dataDir, isFast: true, log: () => {} })
  const teardown = () => remove(cluster, dataDir)
  try {
    await createTemplate(cluster.url)
  } catch (error) {
    await teardown()
    throw error
  }
  project.provide('clusterUrl', cluster.url)
  return teardown
}

async function createTemplate(clusterUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: clusterUrl })
  await client.connect()
  await client.query(`create database ${TEMPLATE_DATABASE}`)
  await client.end()
  const url = new URL(clusterUrl)
  url.pathname = TEMPLATE_DATABASE
  await migrate(url.href)
}

async function remove(cluster: EmbeddedPostgres, dataDir: string): Promise<void> {
  await cluster.stop()
  rmSync(cluster.folder, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}

/** Deletes the clusters of killed runs; the name of the folder has the process id. */
async function removeClustersOfKilledRuns(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX) || isAlive(Number(name.slice(PREFIX.length).split('-')[0]))) continue
    const dataDir = join(parent, name)
    const dataFolder = join(clusterFolder(join(dataDir, 'postgres')), 'data')
    const orphan = existsSync(dataFolder) ? findPostmaster(dataFolder) : null
    if (orphan) await stopPostmaster(orphan.pid)
    rmSync(dataDir, { recursive: true, force: true })
  }
}
