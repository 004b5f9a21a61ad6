import { Button, Group, Modal } from '@mantine/core'
import { confirmAndClose } from '#lib/forms/use-dirty-guard.ts'
import { useFocusAfterWait } from '#ui/forms/use-focus-after-wait.ts'
import { useReturnFocus } from '#ui/forms/use-return-focus.ts'
import classes from './order-dialog.module.css'
import { OrderList } from './order-list.tsx'
import { useOrder } from './use-order.tsx'
import type { StoredField } from './api.ts'

export type OrderDialogProps = { dictionaryId: number; fields: StoredField[]; onClose: () => void }

/** Changes the order of the fields. Save is enabled once it differs. See docs/BEHAVIOUR.md#dictionaries. */
export function OrderDialog({ dictionaryId, fields, onClose }: OrderDialogProps) {
  const { order, setOrder, isChanged, isSaving, isBehind, save, note } = useOrder(dictionaryId, fields)
  // Also after someone else's changes were brought in: the button for that is gone then.
  const saveButton = useFocusAfterWait(isSaving, isBehind)
  const close = () => void confirmAndClose(isChanged, onClose)
  useReturnFocus()
  return (
    <Modal opened onClose={close} title="Change order" size={560}>
      <p className={classes.lead}>The columns of a file must stand in this order.</p>
      <OrderList order={order} onChange={setOrder} />
      <div className={classes.foot}>
        {note}
        <Group justify="flex-end" gap={10}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button ref={saveButton} disabled={!isChanged} loading={isSaving} onClick={() => save(onClose)}>
            Save
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
