import { signInText } from '../sign-in/catalogue.ts'
import { catalogue } from '../text.ts'

/** Of how somebody, or a team, is told that little is left. */
export const noticeText = catalogue(
  'notices',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  signInText,
)
