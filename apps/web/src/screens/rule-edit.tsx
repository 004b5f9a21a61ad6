import { useQuery } from '@tanstack/react-query'
import { ruleFormMessages as texts } from '@veridict/contract/messages/row-rules'
import type { Field } from '@veridict/contract/model/field'
import { dictionaryIdOf } from '@veridict/contract/notation/dictionary-slug'
import { useParams, useSearchParams } from 'react-router'
import { crumbs, paths } from '#app/paths.ts'
import { dictionaryQuery } from '#features/dictionaries/api.ts'
import { fieldsQuery } from '#features/fields/api.ts'
import { impactOf } from '#features/impacts/impact-button.tsx'
import { ruleBookQuery, type StoredBook } from '#features/rules/api.ts'
import { RuleForm } from '#features/rules/rule-form.tsx'
import {
  type EditedRule,
  emptyRule,
  exampleRule,
  type RuleValues,
  valuesOfEdited,
  valuesOfRule,
} from '#features/rules/rule-values.ts'
import { isStatus } from '#lib/http/call-failure.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { LoadingPage } from '#ui/layout/loading-page.tsx'
import { Page } from '#ui/layout/page.tsx'
import { NotFound } from './not-found.tsx'

/** Adds a rule to a dictionary, or edits one, or the exemption. See docs/BEHAVIOUR.md#rules-on-the-page. */
export function RuleEdit() {
  const slug = useParams().slug ?? ''
  const query = useSearchParams()[0]
  const id = dictionaryIdOf(slug)
  return id === null ? <NotFound /> : <DictionaryRule key={String(query)} id={id} slug={slug} query={query} />
}

type DictionaryRuleProps = { id: number; slug: string; query: URLSearchParams }

function DictionaryRule({ id, slug, query }: DictionaryRuleProps) {
  const dictionary = useQuery(dictionaryQuery(id))
  const fields = useQuery(fieldsQuery(id))
  // A later read must not replace what was typed: the form starts from a fresh read and is not refetched.
  const book = useQuery({
    ...ruleBookQuery(id),
    queryKey: ['rule form', id],
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const failed = [dictionary, fields, book].find((part) => part.isError && part.data === undefined)
  if (failed !== undefined && isStatus(failed.error, 404)) return <NotFound />
  const above = (name: string) => [
    crumbs.home,
    crumbs.dictionaries,
    { label: name, to: paths.dictionaryEdit(slug) },
  ]
  if (failed !== undefined)
    return (
      <Page title={texts.rule} above={above('Data dictionary')}>
        <LoadFailure isFramed what="The rule" query={failed} />
      </Page>
    )
  if (dictionary.data === undefined || fields.data === undefined || book.data === undefined)
    return <LoadingPage />
  const opened = openedRule(query, book.data, fields.data)
  if (opened === null) return <NotFound />
  return (
    <Page title={opened.title} above={above(dictionary.data.name)}>
      <RuleForm
        dictionaryId={id}
        fields={fields.data}
        edited={opened.edited}
        initialValues={opened.values}
        startsChanged={opened.isChanged}
        initialBook={book.data}
        dictionaryPath={paths.dictionaryEdit(slug)}
        impact={impactOf(id)}
      />
    </Page>
  )
}

type OpenedRule = { title: string; edited: EditedRule; values: RuleValues; isChanged: boolean }

/** What an address opens; null if the dictionary has no such rule. */
function openedRule(query: URLSearchParams, book: StoredBook, fields: readonly Field[]): OpenedRule | null {
  const [name, copied, part] = ['rule', 'copy', 'part'].map((key) => query.get(key))
  const added: EditedRule = { kind: 'rule', name: null }
  if (part === 'exemption') {
    const edited = { kind: 'exemption' } as const
    return { title: texts.exemptTitle, edited, values: valuesOfEdited(edited, book)!, isChanged: false }
  }
  const source = name ?? copied
  const example = part === 'example' ? exampleRule(fields) : null
  if (source === null) {
    const values = example === null ? emptyRule : valuesOfRule(example)
    return { title: texts.addTitle, edited: added, values, isChanged: example !== null }
  }
  const values = valuesOfEdited({ kind: 'rule', name: source }, book)
  if (values === undefined) return null
  return name === null
    ? { title: texts.addTitle, edited: added, values: { ...values, name: '' }, isChanged: true }
    : { title: source, edited: { kind: 'rule', name: source }, values, isChanged: false }
}
