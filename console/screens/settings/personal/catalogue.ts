import { signInText } from '../../../sign-in/catalogue.ts'
import { catalogue } from '../../../text.ts'

export const personalText = catalogue(
  'personal',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  signInText,
)
