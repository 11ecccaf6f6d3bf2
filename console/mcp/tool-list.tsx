import type { McpTool } from '../../contract/mcp.ts'
import { mcpText } from '../screens/mcp-server/catalogue.ts'
import { useText } from '../text.ts'
import styles from './tool-list.module.css'

/** Tools by their names, with what they say of themselves. */
export function ToolList({ tools }: { tools: readonly McpTool[] }) {
  const t = useText(mcpText)
  if (tools.length === 0) return <p className={styles.none}>{t('noTools')}</p>
  return (
    <dl className={styles.tools} tabIndex={0}>
      {tools.map(({ name, description }) => (
        <div key={name}>
          <dt>{name}</dt>
          {description !== '' && <dd>{description}</dd>}
        </div>
      ))}
    </dl>
  )
}
