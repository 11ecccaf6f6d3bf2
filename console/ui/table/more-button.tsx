import { Ellipsis } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { ActionMenu } from './action-menu.tsx'
import type { RowAction } from './column.ts'
import styles from './row-controls.module.css'
import type { RowId } from './use-selection.ts'

interface MoreButtonProps {
  /** The row it belongs to: where another takes its place, the menu is that one's and closed. */
  row?: RowId
  /** Names the button, with the row it belongs to. */
  label: string
  actions: readonly RowAction[] | (() => readonly RowAction[])
  children?: ReactNode
}

/** The menu of a row. Nothing of it exists until it is opened. */
export function MoreButton({ row = 'none', label, actions, children }: MoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [openedFor, setOpenedFor] = useState<RowId>()
  if (openedFor !== undefined && openedFor !== row) setOpenedFor(undefined)
  const opened = openedFor === row
  return (
    <>
      <button
        ref={button}
        type="button"
        className={children ? styles.action : styles.more}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened}
        onClick={() => setOpenedFor(opened ? undefined : row)}
      >
        {children ?? <Ellipsis size={16} aria-hidden />}
      </button>
      {opened && (
        <ActionMenu
          anchor={button}
          label={label}
          actions={typeof actions === 'function' ? actions() : actions}
          close={() => setOpenedFor(undefined)}
        />
      )}
    </>
  )
}
