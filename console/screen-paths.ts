import { type RegisteredRouter, useRouter } from '@tanstack/react-router'

export type ScreenPath = Exclude<keyof RegisteredRouter['routesByPath'], '/$'>

/** The screens this build has; menus offer no others. */
export function useScreenPaths(): ReadonlySet<ScreenPath> {
  return new Set(Object.keys(useRouter().routesByPath) as ScreenPath[])
}
