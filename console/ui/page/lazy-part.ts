import { type ComponentType, lazy } from 'react'
import { loadMissingStyles } from './missing-styles.ts'

const again = 3000

/**
 * A part of a page that is loaded when it is first needed. Where it cannot be loaded, the page goes on without
 * it and it is asked for again, so that a lost connection never takes the page down.
 */
export function lazyPart<P>(load: () => Promise<{ default: ComponentType<P> }>) {
  return lazy(async () => {
    for (;;) {
      try {
        await loadMissingStyles()
        return await load()
      } catch {
        await new Promise(resolve => setTimeout(resolve, again))
      }
    }
  })
}
