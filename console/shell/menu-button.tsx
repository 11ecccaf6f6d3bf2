import { ActionIcon, Button } from '@mantine/core'
import { type ReactNode, Suspense, startTransition, useRef, useState } from 'react'
import { lazyPart } from '../ui/page/lazy-part.ts'
import styles from './shell.module.css'

const load = () => import('./menu-dropdown.tsx')
const MenuDropdown = lazyPart(load)

export interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly icon?: ReactNode
  /** For menus that choose one of several: whether this is it. */
  readonly checked?: boolean
  /** The language the label is in, where that is not the page's. */
  readonly lang?: string
  act(): void
}

interface MenuButtonProps {
  /** Names the button. */
  label: string
  /** What it shows; an icon alone makes a square button. */
  children: ReactNode
  square?: boolean
  entries: readonly MenuEntry[]
}

/** A button with a menu. What draws the menu is loaded when someone reaches for it. */
export function MenuButton({ label, children, square, entries }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [wanted, setWanted] = useState(false)
  const [opened, setOpened] = useState(false)
  const preload = () => {
    load().catch(() => {})
  }
  const shared = {
    ref: button,
    variant: 'subtle',
    'aria-label': label,
    'aria-haspopup': 'menu',
    onPointerEnter: preload,
    onFocus: preload,
    // The button stays until its menu is there: what React has shown in place of something stays for 300 ms.
    onClick: () => (wanted ? setOpened(open => !open) : startTransition(() => setWanted(true))),
  } as const
  const target = square ? (
    <ActionIcon {...shared} size={32} className={styles.tool}>
      {children}
    </ActionIcon>
  ) : (
    <Button {...shared} size="xs" className={styles.account}>
      {children}
    </Button>
  )
  // The button is mounted anew inside the menu; it takes the focus back before the menu opens, so that the
  // menu knows whom to return it to.
  const begin = () => {
    button.current?.focus()
    setOpened(true)
  }
  return (
    <Suspense fallback={target}>
      {wanted ? (
        <MenuDropdown opened={opened} onChange={setOpened} onReady={begin} entries={entries}>
          {target}
        </MenuDropdown>
      ) : (
        target
      )}
    </Suspense>
  )
}
