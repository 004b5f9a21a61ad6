/** The database that `createTestDatabase` clones: every migration applied, no rows. */
export const TEMPLATE_DATABASE = 'template_portal'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection to the test run's cluster, provided by `test-cluster`. */
    clusterUrl: string
  }
}
