import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import type { RowKeyPart } from '@veridict/contract/model/cell-error'
import { writeCount } from '@veridict/contract/notation/count'
import { useEffect, useState } from 'react'
import { LoadFailure, SkeletonRows } from '#ui/feedback/load-failure.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { TallModal } from '#ui/layout/tall-modal.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { ErrorTable, RowKey } from '#verdict/error-table.tsx'
import { rowErrorsQuery } from './api.ts'
import classes from './row-errors-modal.module.css'

export type RowErrorsModalProps = {
  submissionId: number
  fileName: string
  rowNumber: number
  /** The identifying fields of that row. */
  rowKey: readonly RowKeyPart[]
  onClose: () => void
}

export function RowErrorsModal({ fileName, onClose, ...row }: RowErrorsModalProps) {
  return (
    <TallModal
      onClose={onClose}
      title={<BreakableName name={fileName} />}
      label={texts.rowLabel(row.rowNumber)}
      width={1080}
      foot={
        <Group justify="flex-end">
          <ActionButton label="Close" variant="default" onClick={onClose} />
        </Group>
      }
    >
      <div className={classes.errors}>
        <RowErrors {...row} />
      </div>
    </TallModal>
  )
}

type RowErrorsProps = Omit<RowErrorsModalProps, 'fileName' | 'onClose'>

function RowErrors({ submissionId, rowNumber, rowKey }: RowErrorsProps) {
  const errors = useQuery(rowErrorsQuery(submissionId, rowNumber))
  const shownCount = useShownCount(errors.data?.data.length ?? 0)
  if (errors.isError) return <LoadFailure what="The errors of this row" query={errors} />
  return (
    <>
      <p className={classes.lead}>
        {texts.rowLabel(rowNumber)} {errors.data && <span>{writeCount(errors.data.totalCount)} errors</span>}
      </p>
      {rowKey.length > 0 && (
        <div className={classes.key}>
          <RowKey parts={rowKey} />
        </div>
      )}
      {errors.data ? (
        <ErrorTable
          label={`Errors of row ${rowNumber}`}
          rows={[{ rowNumber, columnValidationErrors: errors.data.data.slice(0, shownCount) }]}
        />
      ) : (
        <div className={classes.loading}>
          <SkeletonRows count={8} />
        </div>
      )}
    </>
  )
}

const step = 200

/** 200, then 200 more with every frame: rendering up to 16,384 errors at once would block the page. */
function useShownCount(total: number): number {
  const [count, setCount] = useState(step)
  useEffect(() => {
    if (count >= total) return
    const frame = requestAnimationFrame(() => setCount(count + step))
    return () => cancelAnimationFrame(frame)
  }, [count, total])
  return Math.min(count, total)
}
