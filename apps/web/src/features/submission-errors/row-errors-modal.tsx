import { Button, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { SkeletonRows } from '#ui/tables/skeleton-rows.tsx'
import { rowErrorsQuery } from './api.ts'
import { ErrorTable } from './error-table.tsx'
import { useGrowing } from './use-growing.ts'
import classes from './row-errors-modal.module.css'

export type RowErrorsModalProps = {
  submissionId: number
  fileName: string
  /** Stays while the dialog fades, null before it was ever open. */
  rowNumber: number | null
  isOpen: boolean
  onClose: () => void
}

/** All errors of one row, under the name of the file. Spec §2. */
export function RowErrorsModal({ submissionId, fileName, rowNumber, isOpen, onClose }: RowErrorsModalProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={<BreakableName name={fileName} />}
      size={1080}
      classNames={{ content: classes.content, body: classes.body }}
    >
      {/* In the tab order, because it scrolls and a keyboard must reach it. */}
      <div
        className={classes.errors}
        tabIndex={0}
        data-autofocus
        role="region"
        aria-label={texts.rowLabel(rowNumber ?? 0)}
      >
        {rowNumber !== null && <RowErrors submissionId={submissionId} rowNumber={rowNumber} />}
      </div>
      <Group justify="flex-end" className={classes.foot}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Modal>
  )
}

function RowErrors({ submissionId, rowNumber }: { submissionId: number; rowNumber: number }) {
  const errors = useQuery(rowErrorsQuery(submissionId, rowNumber))
  const drawn = useGrowing(errors.data?.data.length ?? 0)
  if (errors.isError)
    return (
      <LoadFailure
        what="The errors of this row"
        failure={errors.error}
        onRetry={() => void errors.refetch()}
      />
    )
  return (
    <>
      <p className={classes.lead}>
        {texts.rowLabel(rowNumber)}{' '}
        {errors.data && <span>{errors.data.totalCount.toLocaleString('en')} errors</span>}
      </p>
      {errors.data ? (
        <ErrorTable rowNumber={rowNumber} errors={errors.data.data.slice(0, drawn)} />
      ) : (
        <div className={classes.loading}>
          <SkeletonRows count={8} />
        </div>
      )}
    </>
  )
}
