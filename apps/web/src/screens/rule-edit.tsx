import { useQuery } from '@tanstack/react-query'
import { dictionaryIdOf } from '@veridict/contract/notation/dictionary-slug'
import { useParams, useSearchParams } from 'react-router'
import { crumbs, paths } from '#app/paths.ts'
import { dictionaryQuery } from '#features/dictionaries/api.ts'
import { fieldsQuery } from '#features/fields/api.ts'
import { ruleBookQuery } from '#features/rules/api.ts'
import { RuleForm } from '#features/rules/rule-form.tsx'
import { type EditedRule, emptyRule, valuesOfEdited } from '#features/rules/rule-values.ts'
import { isStatus } from '#lib/http/call-failure.ts'
import { forForm } from '#lib/http/query-of.ts'
import { FailedPage, LoadingPage, Page } from '#ui/layout/page.tsx'
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
  const book = useQuery({
    ...ruleBookQuery(id),
    ...forForm,
    queryKey: [...ruleBookQuery(id).queryKey, 'form'],
  })
  const failed = [dictionary, fields, book].find((part) => part.isError && part.data === undefined)
  if (isStatus(failed?.error, 404)) return <NotFound />
  const [rule, copied] = [query.get('rule'), query.get('copy')]
  const edited: EditedRule =
    query.get('part') === 'exemption' ? { kind: 'exemption' } : { kind: 'rule', name: rule }
  const title = edited.kind === 'exemption' ? 'Exempt rows' : (rule ?? 'Add a new rule')
  const frame = {
    title,
    above: [
      crumbs.home,
      crumbs.dictionaries,
      { label: dictionary.data?.name ?? 'Data dictionary', to: paths.dictionaryEdit(slug) },
    ],
  }
  if (failed !== undefined) return <FailedPage {...frame} what="The rule" query={failed} />
  if (!dictionary.data || !fields.data || !book.data || !book.isFetchedAfterMount) return <LoadingPage />
  const source: EditedRule = copied === null ? edited : { kind: 'rule', name: copied }
  const isEmpty = source.kind === 'rule' && source.name === null
  const values = isEmpty ? emptyRule : valuesOfEdited(source, book.data)
  if (values === undefined) return <NotFound />
  const named = copied === null ? values : { ...values, name: '' }
  return (
    <Page {...frame}>
      <RuleForm
        dictionaryId={id}
        initial={{ edited, values: named, book: book.data, fields: fields.data }}
        isCopy={copied !== null}
        dictionaryPath={paths.dictionaryEdit(slug)}
      />
    </Page>
  )
}
