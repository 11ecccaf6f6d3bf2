import type { McpTool } from '../../contract/mcp.ts'
import styles from './tool-list.module.css'

interface ToolListProps {
  tools: readonly McpTool[]
  none: string
  /** What a call costs, where that is not the same for all of them. */
  price?: ((tool: McpTool) => string) | undefined
}

/** Tools by their names, with what they say of themselves. */
export function ToolList({ tools, none, price }: ToolListProps) {
  if (tools.length === 0) return <p className={styles.none}>{none}</p>
  return (
    <dl className={styles.tools} tabIndex={0}>
      {tools.map(tool => (
        <div key={tool.name}>
          <dt>
            <span>{tool.name}</span>
            {price && <span className={styles.price}>{price(tool)}</span>}
          </dt>
          {tool.description !== '' && <dd>{tool.description}</dd>}
        </div>
      ))}
    </dl>
  )
}
