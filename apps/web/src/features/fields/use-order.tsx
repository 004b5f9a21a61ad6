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
 * The order in the dialog. It keeps the list that it started from, because the one behind the dialog may be
 * read again at any time. When another person changed the fields first, `note` offers to merge their changes.
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
