import { schemaResolver, useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'

/** Schemas, calls and notices: a third of the code that the login page would load. */
export const loadEntryCalls = async () => (await import('./entry-calls.ts')).entryCalls
type EntryCalls = Awaited<ReturnType<typeof loadEntryCalls>>

/** A call that failed, and the text of its notice. */
export type Failure = { error: unknown; text: string }

export type EntryForm<Values, Reply> = {
  initialValues: Values
  schema: (calls: EntryCalls) => Parameters<typeof schemaResolver>[0]
  send: (calls: EntryCalls, values: Values) => Promise<Reply>
  /** Which inputs show a failure as their error. */
  errorsOf?: (failure: Failure) => { [Field in keyof Values]?: ReactNode }
}

type Sent<Reply> = { isPending: boolean; failure: Failure | null; reply: Reply | null }

/** Loads schema and calls when needed: new browsers load the login page first. Failures show notices. */
export function useEntryForm<Values extends Record<string, unknown>, Reply>(entry: EntryForm<Values, Reply>) {
  const { initialValues, schema, send, errorsOf } = entry
  const [sent, setSent] = useState<Sent<Reply>>({ isPending: false, failure: null, reply: null })
  const loadOrBreak = useLoadOrBreak()
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues,
    validate: async (values) => schemaResolver(schema(await loadOrBreak()), { sync: true })(values),
  })
  const submit = async (values: Values) => {
    const calls = await loadOrBreak()
    setSent({ isPending: true, failure: null, reply: null })
    try {
      const reply = await send(calls, values)
      setSent({ isPending: false, failure: null, reply })
    } catch (error) {
      const failure = { error, text: calls.textOfFailure(error) }
      calls.announceFailure(error)
      setSent({ isPending: false, failure, reply: null })
      if (errorsOf) form.setErrors(errorsOf(failure))
    }
  }
  return { form, ...sent, onSubmit: form.onSubmit(submit) }
}

/** Loads the calls. If that fails, the error boundary offers to load the page again. */
function useLoadOrBreak() {
  const [failure, setFailure] = useState<{ error: unknown } | null>(null)
  if (failure !== null) throw failure.error
  return () =>
    loadEntryCalls().catch((error: unknown) => {
      setFailure({ error })
      throw error
    })
}
