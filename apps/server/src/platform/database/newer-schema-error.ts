/** A newer version of the portal has changed the schema: this one could damage the data. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
  constructor(migration: string) {
    super(
      `A newer version of the portal has upgraded this database: this version does not know ${migration}. ` +
        'Start the newer version, or restore the backup from before the upgrade.',
    )
  }
}
