// Dialogs and drawers lie over each other; keys that are not for a field are for the one on top.

import { useEffect, useEffectEvent } from 'react'

interface Layer {
  close(): void
  save?(): void
}

const layers: Layer[] = []

/** Whether something lies over the page. */
export function isCovered(): boolean {
  return layers.length > 0
}

/** Esc closes it and ⌘S saves what is in it, while nothing lies over it. */
export function useLayer(opened: boolean, { close, save }: Layer): void {
  const closeNow = useEffectEvent(close)
  const saveNow = useEffectEvent(() => save?.())
  useEffect(() => {
    if (!opened) return
    const layer = { close: closeNow, save: saveNow }
    if (layers.push(layer) === 1) addEventListener('keydown', onKey, { capture: true })
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) removeEventListener('keydown', onKey, { capture: true })
    }
  }, [opened])
}

function onKey(event: KeyboardEvent): void {
  if (event.isComposing) return
  const top = layers.at(-1)
  if (event.key === 'Escape' && !isOfList(event.target)) top?.close()
  if (!isSaveKey(event)) return
  event.preventDefault()
  top?.save?.()
}

/** An open list of choices takes Esc for itself; of one that has nothing to offer nothing is seen, and it takes none. */
function isOfList(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target.getAttribute('data-mantine-stop-propagation') !== 'true')
    return false
  if (target.getAttribute('aria-haspopup') !== 'listbox') return true
  const list = document.getElementById(target.getAttribute('aria-controls') ?? '')
  return list !== null && list.getClientRects().length > 0
}

export function isSaveKey({
  metaKey,
  ctrlKey,
  key,
}: Pick<KeyboardEvent, 'metaKey' | 'ctrlKey' | 'key'>): boolean {
  return (metaKey || ctrlKey) && key.toLowerCase() === 's'
}
