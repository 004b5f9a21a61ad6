import { Anchor, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type Operation, setMaintenance } from '@veridict/contract/api/admin'
import { pauseCompany } from '@veridict/contract/api/companies'
import { maintenanceLimits } from '@veridict/contract/limits'
import { operationMessages as texts } from '@veridict/contract/messages/operation'
import { counted } from '@veridict/contract/notation/count'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { useChange } from '#lib/http/use-change.ts'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { formatTime } from '#ui/text/format.ts'
import { TextButton } from '#ui/text/text-button.tsx'

/** What stops uploads: maintenance mode, and the pauses of companies. */
export function UploadSwitches({ maintenance, paused }: Pick<Operation, 'maintenance' | 'paused'>) {
  const [isWriting, setIsWriting] = useState(false)
  const { mutate: set, isPending } = useChange(setMaintenance)
  const { mutate: pause, isPending: isChanging } = useChange(pauseCompany)
  return (
    <Panel title="Uploads">
      <Facts
        facts={[
          {
            name: texts.maintenance,
            value: maintenance === null ? texts.maintenanceOff : `On: ${maintenance}`,
            action:
              maintenance === null ? (
                <TextButton onClick={() => setIsWriting(true)}>{texts.switchOn}</TextButton>
              ) : (
                <TextButton disabled={isPending} onClick={() => set({ body: { on: false } })}>
                  {texts.switchOff}
                </TextButton>
              ),
          },
          ...paused.map(({ id, name, pausedAt, waiting }) => ({
            name: (
              <Anchor component={Link} to={paths.companyEdit(id)} inherit>
                {name}
              </Anchor>
            ),
            value:
              `${texts.pausedSince(formatTime(new Date(pausedAt)))}; ` +
              `${counted(waiting, 'file waits', 'files wait')}.`,
            action: (
              <TextButton
                aria-label={`${texts.resume}: ${name}`}
                disabled={isChanging}
                onClick={() => pause({ params: { id }, body: { on: false } })}
              >
                {texts.resume}
              </TextButton>
            ),
          })),
        ]}
      />
      {isWriting && <MaintenanceDialog onClose={() => setIsWriting(false)} />}
    </Panel>
  )
}

function MaintenanceDialog({ onClose }: { onClose: () => void }) {
  const set = useChange(setMaintenance)
  const form = useForm({
    initialValues: { message: '' },
    validate: { message: (message) => (message.trim() === '' ? texts.messageRequired : null) },
  })
  return (
    <FormDialog
      title={texts.maintenance}
      saveLabel={texts.switchOn}
      canSave
      isSaving={set.isPending}
      onClose={onClose}
      onSubmit={form.onSubmit(({ message }) =>
        set.mutate({ body: { on: true, message } }, { onSuccess: onClose }),
      )}
    >
      <Textarea
        label={texts.messageLabel}
        description={texts.messageHint}
        placeholder={texts.messageExample}
        autosize
        minRows={3}
        maxLength={maintenanceLimits.maxMessageLength}
        data-autofocus
        {...form.getInputProps('message')}
      />
    </FormDialog>
  )
}
