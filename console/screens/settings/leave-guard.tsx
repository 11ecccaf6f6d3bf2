import { useBlocker } from '@tanstack/react-router'
import { shellText } from '../../locales/catalogue.ts'
import { readUser } from '../../session.ts'
import { useText } from '../../text.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { settingsText } from './catalogue.ts'

/** Asks before unsaved changes are left behind; not when the login has ended, where staying saves nothing. */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const t = useText(settingsText)
  const shell = useText(shellText)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      dirty && readUser() !== null && !isSameTab(current.search, next.search, next.pathname),
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

/** Going to another section leaves nothing behind. */
function isSameTab(current: object, next: object, pathname: string): boolean {
  const tabOf = (search: object) => ('tab' in search ? search.tab : undefined)
  return pathname === '/setting' && tabOf(current) === tabOf(next)
}
