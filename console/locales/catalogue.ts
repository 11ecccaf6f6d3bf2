import { catalogue } from '../text.ts'

/** The words of the shell and of the parts that every screen shares. */
export const shellText = catalogue(
  'shell',
  () => import('./zh.ts'),
  () => import('./en.ts'),
)
