import { useEffect, useEffectEvent } from 'react'
import type { SectionId } from '../../../contract/settings/sections.ts'
import { useText } from '../../text.ts'
import { toast } from '../../ui/layers/toast.ts'
import { isCovered, isSaveKey } from '../../ui/layers/use-layer.ts'
import { settingsText } from './catalogue.ts'

/** ⌘S saves what was changed. The section that has the focus saves itself, and alone. */
export function useSaveKey(changed: readonly SectionId[]): void {
  const t = useText(settingsText)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isSaveKey(event) || event.defaultPrevented || isCovered()) return
    event.preventDefault()
    if (changed.length === 0) toast.warning(t('unchanged'))
    for (const id of changed) document.getElementById(id)?.querySelector('form')?.requestSubmit()
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
