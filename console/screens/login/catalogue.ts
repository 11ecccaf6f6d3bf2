import { signInText } from '../../sign-in/catalogue.ts'
import { catalogue } from '../../text.ts'

export const loginText = catalogue(
  'login',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  signInText,
)
