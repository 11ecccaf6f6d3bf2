import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '../page/lazy-part.ts'

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'))

export interface ConfirmProps {
  opened: boolean
  title: string
  children: ReactNode
  /** What the confirming button says: the act itself, never "OK". */
  action: string
  destructive?: boolean
  onConfirm(): void
  onCancel(): void
}

/** Asks before something that cannot be taken back. Loaded when there is something to ask. */
export function Confirm(props: ConfirmProps) {
  if (!props.opened) return null
  return (
    <Suspense>
      <ConfirmDialog {...props} />
    </Suspense>
  )
}
