import { readRuleBook, readRuleFailures } from '@veridict/contract/api/rule-book'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { call } from '#lib/http/client.ts'
import { queryOf, showsNotFound } from '#lib/http/query-of.ts'

/** The rules of a dictionary, with the ETag that a change hands back. */
export type StoredBook = RuleBook & { version: string }

export const readBookForForm = (id: number): Promise<StoredBook> => call(readRuleBook, { params: { id } })

export const ruleBookQuery = (id: number) => ({
  ...queryOf(readRuleBook, { params: { id } }),
  ...showsNotFound,
})

/** How often each rule failed lately, by the rule's name. */
export const ruleFailuresQuery = (id: number) => ({
  ...queryOf(
    readRuleFailures,
    { params: { id } },
    ({ rules }) => new Map(rules.map((rule) => [rule.name, rule])),
  ),
  // The rules can be read and changed without it.
  meta: { quiet: true },
})
