import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { signInText } from '../../sign-in/catalogue.ts'
import { loadText } from '../../text.ts'
import { operationText } from './operation/catalogue.ts'
import { personalText } from './personal/catalogue.ts'
import type { TabId } from './tabs.ts'

const loads: Record<TabId, () => Promise<{ default: ComponentType }>> = {
  // With words of its own: nobody else's settings need them.
  personal: async () => {
    const [tab] = await Promise.all([
      import('./personal/personal-tab.tsx'),
      loadText(personalText, signInText),
    ])
    return tab
  },
  operation: async () => {
    const [tab] = await Promise.all([import('./operation/operation-tab.tsx'), loadText(operationText)])
    return tab
  },
  system: () => import('./system-tab.tsx'),
  other: () => import('./other-tab.tsx'),
}

export const tabContents: Record<TabId, LazyExoticComponent<ComponentType>> = {
  personal: lazy(loads.personal),
  operation: lazy(loads.operation),
  system: lazy(loads.system),
  other: lazy(loads.other),
}

/** Begins to load a tab before anything draws it. */
export function preloadTab(id: TabId): void {
  loads[id]().catch(() => {})
}
