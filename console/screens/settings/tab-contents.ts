import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { signInText } from '../../sign-in/catalogue.ts'
import { loadText } from '../../text.ts'
import { auditText } from './audit/catalogue.ts'
import { operationText } from './operation/catalogue.ts'
import { panelsText } from './panels/catalogue.ts'
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
  other: async () => {
    const [tab] = await Promise.all([import('./other-tab.tsx'), loadText(panelsText)])
    return tab
  },
  audit: async () => {
    const [tab] = await Promise.all([import('./audit/audit-tab.tsx'), loadText(auditText)])
    return tab
  },
}

const lazyTabs: Record<TabId, LazyExoticComponent<ComponentType>> = {
  personal: lazy(loads.personal),
  operation: lazy(loads.operation),
  system: lazy(loads.system),
  other: lazy(loads.other),
  audit: lazy(loads.audit),
}
const loaded = new Map<TabId, ComponentType>()

/** One that is there is drawn at once: a lazy one would first show that it is waited for, and that for a while. */
export function tabContent(id: TabId): ComponentType {
  return loaded.get(id) ?? lazyTabs[id]
}

/** Loads a tab before anything draws it. Where that fails, whoever draws it finds out. */
export async function preloadTab(id: TabId): Promise<void> {
  try {
    loaded.set(id, (await loads[id]()).default)
  } catch {}
}
