import type { McpTool } from '../../contract/mcp.ts'
import styles from './tool-list.module.css'

/** Tools by their names, with what they say of themselves. */
export function ToolList({ tools, none }: { tools: readonly McpTool[]; none: string }) {
  if (tools.length === 0) return <p className={styles.none}>{none}</p>
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
