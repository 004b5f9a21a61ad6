import { rmSync } from 'node:fs'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { migrate } from '#platform/database/migrate.ts'
import { makeDatabaseFolder, removeFoldersOfKilledRuns } from '#test/database-folders.ts'
import { TEMPLATE_DATABASE } from '#test/template-database.ts'

/** Vitest's global setup: one temporary cluster for the whole run, migrated once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeFoldersOfKilledRuns()
  const dataDir = makeDatabaseFolder()
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
