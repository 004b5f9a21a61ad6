import { Button } from '@mantine/core'
import { signOnMessages as texts } from '@veridict/contract/messages/single-sign-on'
import { singleSignOnPath } from '@veridict/contract/notation/single-sign-on'
import { useEffect, useState } from 'react'
import { readConfig } from '#lib/http/config.ts'
import classes from './entry-form.module.css'
import { keepVisit } from './single-sign-on.ts'

/** Leads to the provider, where the portal has one. */
export function SignOnButton({ isPending }: { isPending: boolean }) {
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
