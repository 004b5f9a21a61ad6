import { useMutation, useQueryClient } from '@tanstack/react-query'
import { conflictMessages } from '@veridict/contract/messages/conflicts'
import { useState } from 'react'
import { ConflictNote } from '#lib/forms/conflict-note.tsx'
import { announceConflict } from '#lib/http/announce.ts'
import { isEditConflict } from '#lib/http/call-failure.ts'
import { fieldsQuery, type StoredField, useReorderFields } from './api.ts'
import { mergeOrder } from './merge-order.ts'

const idsOf = (fields: readonly StoredField[]) => fields.map(({ id }) => id)

/**
 * An order in the making. The list that it began with is kept, because the one behind the dialog may be read
 * anew at any time; where someone else changed the fields first, `note` says so and brings their changes in
 * without losing the order.
 */
export function useOrder(dictionaryId: number, fields: StoredField[]) {
  const [seen, setSeen] = useState(fields)
  const [order, setOrder] = useState(fields)
  const [isBehind, setIsBehind] = useState(false)
  const client = useQueryClient()
  const reorder = useReorderFields(dictionaryId, (_message, failure) =>
    isEditConflict(failure) ? setIsBehind(true) : announceConflict(failure),
  )
  const loading = useMutation({
    mutationFn: () => client.fetchQuery({ ...fieldsQuery(dictionaryId), staleTime: 0 }),
    onSuccess: (present) => {
      setSeen(present)
      setOrder(mergeOrder(order, present))
      setIsBehind(false)
    },
  })
  return {
    order,
    setOrder,
    isChanged: order.some(({ id }, index) => id !== seen[index].id),
    isSaving: reorder.isPending,
    isBehind,
    save: (onSaved: () => void) =>
      reorder.mutate({ ids: idsOf(order), seenOrder: idsOf(seen) }, { onSuccess: onSaved }),
    note: isBehind && (
      <ConflictNote
        text={conflictMessages.orderText}
        isLoading={loading.isPending}
        onLoad={() => loading.mutate()}
      />
    ),
  }
}
