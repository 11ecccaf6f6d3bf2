import { catalogue } from '../../text.ts'
import { mcpText } from '../mcp-server/catalogue.ts'

export const toolsText = catalogue(
  'tools',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  mcpText,
)
