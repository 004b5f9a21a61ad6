import { useMutation, useQueryClient } from '@tanstack/react-query'
import { reorderFields } from '@veridict/contract/api/fields'
import { fieldToBody } from '@veridict/contract/api/wire-field'
import { conflictMessages } from '@veridict/contract/messages/conflicts'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { useState } from 'react'
import { ImpactButton } from '#features/impacts/impact-button.tsx'
import { ConflictNote } from '#lib/forms/use-conflict.tsx'
import { announceConflict } from '#lib/http/announce.tsx'
import { isEditConflict } from '#lib/http/call-failure.ts'
import { useChange } from '#lib/http/query-of.ts'
import { OrderModal } from '#ui/order/order-modal.tsx'
import { fieldsQuery, type StoredField } from './api.ts'

export type OrderDialogProps = { dictionaryId: number; fields: StoredField[]; onClose: () => void }

/** Keeps its first list: the one behind the dialog may be read again. See docs/BEHAVIOUR.md#dictionaries. */
export function OrderDialog({ dictionaryId, fields, onClose }: OrderDialogProps) {
  const [seen, setSeen] = useState(fields)
  const [isBehind, setIsBehind] = useState(false)
  const client = useQueryClient()
  const reorder = useChange(reorderFields, (_message, failure) =>
    isEditConflict(failure) ? setIsBehind(true) : announceConflict(failure),
  )
  const loading = useMutation({
    mutationFn: () => client.fetchQuery({ ...fieldsQuery(dictionaryId), staleTime: 0 }),
    onSuccess: (present) => {
      setSeen(present)
      setIsBehind(false)
    },
  })
  return (
    <OrderModal
      items={seen}
      keyOf={({ id }) => String(id)}
      isSaving={reorder.isPending}
      lead="The columns of a file must stand in this order."
      mark={columnLetter}
      beside={(order, isChanged) => (
        <ImpactButton
          dictionaryId={dictionaryId}
          draft={async () => ({ body: { fields: order.map(fieldToBody) } })}
          isDisabled={!isChanged}
        />
      )}
      note={
        isBehind && (
          <ConflictNote
            text={conflictMessages.orderText}
            isLoading={loading.isPending}
            onLoad={() => loading.mutate()}
          />
        )
      }
      onSave={(order) => {
        const itemPositionList = order.map(({ id }, index) => ({ itemId: id, position: index + 1 }))
        const body = { itemPositionList, seenOrder: seen.map(({ id }) => id) }
        reorder.mutate({ params: { id: dictionaryId }, body }, { onSuccess: onClose })
      }}
      onClose={onClose}
    />
  )
}
