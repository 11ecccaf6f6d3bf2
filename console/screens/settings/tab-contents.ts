import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { TabId } from './tabs.ts'

const loads: Record<TabId, () => Promise<{ default: ComponentType }>> = {
  system: () => import('./system-tab.tsx'),
  other: () => import('./other-tab.tsx'),
}

export const tabContents: Record<TabId, LazyExoticComponent<ComponentType>> = {
  system: lazy(loads.system),
  other: lazy(loads.other),
}

/** Begins to load a tab before anything draws it. */
export function preloadTab(id: TabId): void {
  loads[id]().catch(() => {})
}
