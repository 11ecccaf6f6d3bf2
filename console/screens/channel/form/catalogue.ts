import { catalogue } from '../../../text.ts'
import { channelText } from '../catalogue.ts'

export const formText = catalogue(
  'channel-form',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  channelText,
)
