import { listText } from '../../lists/catalogue.ts'
import { catalogue } from '../../text.ts'

/** The words of MCP servers: who looks after them and who uses them says the same. */
export const mcpText = catalogue(
  'mcp',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
