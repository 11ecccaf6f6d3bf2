import { useBlocker } from '@tanstack/react-router'
import { shellText } from '../../locales/catalogue.ts'
import { readUser } from '../../session.ts'
import { useText } from '../../text.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { settingsText } from './catalogue.ts'

/** Asks before unsaved changes are left behind; not when the login has ended, where staying saves nothing. */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const t = useText(settingsText)
  const shell = useText(shellText)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => dirty && readUser() !== null,
    enableBeforeUnload: dirty,
    withResolver: true,
  })
  return (
    <Confirm
      opened={status === 'blocked'}
      title={shell('drawer.leaveTitle')}
      action={shell('drawer.leave')}
      destructive
      onConfirm={() => proceed?.()}
      onCancel={() => reset?.()}
    >
      {t('leaveText')}
    </Confirm>
  )
}
