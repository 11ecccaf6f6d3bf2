import { Ellipsis } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { ActionMenu } from './action-menu.tsx'
import type { RowAction } from './column.ts'
import styles from './row-controls.module.css'

interface MoreButtonProps {
  /** Names the button, with the row it belongs to. */
  label: string
  actions: readonly RowAction[] | (() => readonly RowAction[])
  children?: ReactNode
}

/** The menu of a row. Nothing of it exists until it is opened. */
export function MoreButton({ label, actions, children }: MoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        className={children ? styles.action : styles.more}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened}
        onClick={() => setOpened(open => !open)}
      >
        {children ?? <Ellipsis size={16} aria-hidden />}
      </button>
      {opened && (
        <ActionMenu
          anchor={button}
          label={label}
          actions={typeof actions === 'function' ? actions() : actions}
          close={() => setOpened(false)}
        />
      )}
    </>
  )
}
