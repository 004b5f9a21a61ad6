import { queryOptions } from '@tanstack/react-query'
import { readRuleBook, readRuleFailures } from '@veridict/contract/api/rule-book'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { call } from '#lib/http/client.ts'

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
