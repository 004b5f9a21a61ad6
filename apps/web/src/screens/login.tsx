import { Anchor, Button } from '@mantine/core'
import { signOnMessages as texts } from '@veridict/contract/messages/single-sign-on'
import { singleSignOnPath } from '@veridict/contract/notation/single-sign-on'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { paths } from '#app/paths.ts'
import classes from '#features/session/entry-form.module.css'
import { EmailField, EntryFailure, EntryFrame, PasswordField } from '#features/session/entry-frame.tsx'
import { keepVisit, signOn } from '#features/session/single-sign-on.ts'
import { useEntryForm } from '#features/session/use-entry-form.ts'
import { isStatus } from '#lib/http/call-failure.ts'
import { readConfig } from '#lib/http/config.ts'

/** Also true for an unknown e-mail: the server gives both the same response. */
const isWrongPassword = (failure: unknown) => isStatus(failure, 401)

/** A wrong password is also an error of its input, any other failure a text at the form. */
export function Login() {
  const entry = useEntryForm({
    initialValues: { email: '', password: '' },
    schema: ({ loginForm }) => loginForm,
    send: ({ sendLogin }, values) => sendLogin(values),
    errorsOf: ({ error, text }) =>
      isWrongPassword(error) ? { password: <span role="alert">{text}</span> } : {},
  })
  const { form, failure } = entry
  const { isPending: isSigningOn, failure: signOnFailure } = useSyncExternalStore(
    signOn.subscribe,
    signOn.get,
    signOn.get,
  )
  return (
    <EntryFrame
      tabTitle="Login"
      title="Welcome back"
      text="Log in to upload files and read the verdict on every cell."
      entry={entry}
      submitLabel="Login"
      foot={
        <>
          {/* Not a link of the router, which is not loaded yet. */}
          <Anchor href={paths.forgotPassword} className={classes.link}>
            Forgot password?
          </Anchor>
          <SignOnButton isPending={isSigningOn} />
        </>
      }
    >
      {failure && !isWrongPassword(failure.error) && <EntryFailure message={failure.text} />}
      {failure === null && signOnFailure !== null && <EntryFailure message={signOnFailure} />}
      <EmailField key={form.key('email')} {...form.getInputProps('email')} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </EntryFrame>
  )
}

/** Leads to the provider, where the portal has one. */
function SignOnButton({ isPending }: { isPending: boolean }) {
  const [isOffered, setIsOffered] = useState(false)
  useEffect(() => {
    // Without the settings the form still works: it reads them again.
    readConfig().then(({ singleSignOn = false }) => setIsOffered(singleSignOn), console.error)
  }, [])
  if (!isOffered) return null
  return (
    <>
      <div className={classes.or}>{texts.or}</div>
      <Button
        component="a"
        href={singleSignOnPath}
        variant="default"
        fullWidth
        loading={isPending}
        onClick={keepVisit}
        className={classes.signOn}
      >
        {texts.button}
      </Button>
    </>
  )
}
