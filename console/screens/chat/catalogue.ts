import { shellText } from '../../locales/catalogue.ts'
import { catalogue } from '../../text.ts'

export const chatText = catalogue(
  'chat',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  shellText,
)
