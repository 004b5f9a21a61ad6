import { queryOptions } from '@tanstack/react-query'
import { readRuleBook, readRuleFailures, saveRuleBook } from '@veridict/contract/api/rule-book'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { call } from '#lib/http/client.ts'
import { type OnConflict, useChange } from '#lib/http/use-change.ts'

/** The rules of a dictionary, with the ETag that a change hands back. */
export type StoredBook = RuleBook & { version: string }

export const readBookForForm = (id: number, signal?: AbortSignal): Promise<StoredBook> =>
  call(readRuleBook, { params: { id }, signal })

export const ruleBookQuery = (id: number) =>
  queryOptions({
    queryKey: ['rules', id],
    queryFn: ({ signal }) => readBookForForm(id, signal),
    meta: { showsNotFound: true },
  })

/** How often each rule failed lately, by the rule's name. */
export const ruleFailuresQuery = (id: number) =>
  queryOptions({
    queryKey: ['rules', id, 'failures'],
    queryFn: async ({ signal }) => {
      const { rules } = await call(readRuleFailures, { params: { id }, signal })
      return new Map(rules.map((rule) => [rule.name, rule]))
    },
    // The rules can be read and changed without it.
    meta: { quiet: true },
  })

/** Saves the given parts; the others stay. */
export const useSaveRuleBook = (id: number, onConflict?: OnConflict) =>
  useChange((body: Partial<StoredBook>) => call(saveRuleBook, { params: { id }, body }), onConflict)
