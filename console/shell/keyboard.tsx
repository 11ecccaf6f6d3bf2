import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useEffectEvent, useRef } from 'react'
import { lazyPart } from '../ui/page/lazy-part.ts'
import { useJumps } from './jumps.ts'
import { type KeyCommand, readKey } from './key-commands.ts'
import { openKeys, openPalette, useOverlay } from './overlays.ts'

const Palette = lazyPart(() => import('./palette.tsx'))
const KeyList = lazyPart(() => import('./key-list.tsx'))

/** The console's own keys, and the overlays they open. */
export function Keyboard() {
  const overlay = useOverlay()
  const jumps = useJumps()
  const navigate = useNavigate()
  const jumpUntil = useRef(0)

  const act = useEffectEvent((command: KeyCommand, event: KeyboardEvent) => {
    jumpUntil.current = command.kind === 'jump-begins' ? event.timeStamp + 1500 : 0
    if (command.kind === 'jump-begins') return
    if (command.kind === 'palette') openPalette()
    if (command.kind === 'keys') openKeys()
    if (command.kind === 'search') {
      const search = document.querySelector<HTMLElement>('[data-search]')
      if (!search) return
      search.focus()
    }
    if (command.kind === 'jump') {
      const jump = jumps.find(({ letter }) => letter === command.letter)
      if (!jump) return
      navigate({ to: jump.to }).catch(() => {})
    }
    event.preventDefault()
  })

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof HTMLElement &&
        (event.target.isContentEditable ||
          event.target.closest('input, textarea, select, [role="dialog"]') !== null)
      const command = readKey({ ...keysOf(event), typing }, event.timeStamp < jumpUntil.current)
      if (command) act(command, event)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  return (
    <Suspense>
      {overlay === 'palette' && <Palette />}
      {overlay === 'keys' && <KeyList />}
    </Suspense>
  )
}

function keysOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  return { key, ctrlKey, metaKey, altKey }
}
