import type { readVersion, VersionItem } from '@veridict/contract/api/dictionary-versions'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import { changeSentence } from '@veridict/contract/messages/dictionary-changes'
import type { Field } from '@veridict/contract/model/field'
import { presentFields } from '#dictionaries/present-field.ts'
import type { VersionSummary } from '#dictionaries/dictionary-versions.ts'

export const presentVersionItem = (version: VersionSummary): VersionItem => ({
  revision: version.revision,
  name: version.name,
  changedAt: version.changedAt.toISOString(),
  changedBy: version.changedBy,
  change: changeSentence(version.change, version.fieldCount),
  fieldCount: version.fieldCount,
})

export const presentVersion = (
  version: VersionSummary,
  fields: readonly Field[],
): ReplyOf<typeof readVersion> => ({
  ...presentVersionItem(version),
  fields: presentFields(fields),
})
