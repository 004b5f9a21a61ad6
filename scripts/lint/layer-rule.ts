/** Imports that a folder refuses: globs (with `!`: exceptions), or a regular expression. */
export type Refusal = { message: string; group: string[] } | { message: string; regex: string }

/**
 * No file may belong to two rules: of two overrides for one file oxlint silently ignores the first.
 * `scripts/guards/lint-layers.test.ts` breaks every refusal.
 */
export type LayerRule = {
  folder: string
  refusals: Refusal[]
  /** Only these files, instead of all files of the folder. */
  files?: string[]
  excludeFiles?: string[]
}

/** Within a package, files of other folders are imported as `#folder/file.ts`. */
export const noParents: Refusal = {
  group: ['../**'],
  message:
    `Inside a package use '#folder/file.ts' (package.json "imports"), not '../': ` +
    'the rules of layers go by the names of folders.',
}

/** Refuses `folders` and `more`. `allowed`: folders, folders in them (`features/fields`) and files. */
export const refuseOthers = (
  folders: readonly string[],
  allowed: readonly string[],
  message: string,
  more: readonly string[] = [],
): Refusal => ({
  message,
  group: [
    ...folders.filter((folder) => !allowed.includes(folder)).map((folder) => `#${folder}/**`),
    ...allowed
      .filter((name) => name.includes('/'))
      .map((name) => (name.endsWith('.ts') ? `!#${name}` : `!#${name}/**`)),
    ...more,
  ],
})
