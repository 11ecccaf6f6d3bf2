import type { McpServerView } from '../../../contract/mcp.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import { showPrices } from '../../mcp/show-price.ts'
import type { TranslateOf } from '../../text.ts'
import { Tag } from '../../ui/content/tag.tsx'
import { GroupTags } from '../../ui/lists/group-tags.tsx'
import { OpenName } from '../../ui/lists/open-name.tsx'
import { HeadingId, idColumn } from '../../ui/lists/row-id.tsx'
import type { Column } from '../../ui/table/column.ts'
import type { mcpText } from './catalogue.ts'
import styles from './mcp-server.module.css'

export function mcpServerColumns(
  t: TranslateOf<typeof mcpText>,
  status: StatusDocument | undefined,
  open: (server: McpServerView) => void,
): Column<McpServerView>[] {
  return [
    idColumn(t('id'), 60),
    {
      id: 'name',
      header: t('name'),
      heading: true,
      cell: server => (
        <OpenName name={server.name} open={() => open(server)}>
          <HeadingId id={server.id} />
        </OpenName>
      ),
    },
    {
      id: 'status',
      header: t('status'),
      width: 96,
      inCard: 'beside',
      cell: ({ enabled }) =>
        enabled ? <Tag tone="green">{t('enabled')}</Tag> : <Tag tone="grey">{t('disabled')}</Tag>,
    },
    {
      id: 'address',
      header: t('address'),
      width: 172,
      inCard: 'behind',
      cell: ({ url }) => (
        <span className={styles.address} title={url}>
          {url}
        </span>
      ),
    },
    {
      id: 'groups',
      header: t('groups'),
      width: 156,
      inCard: 'behind',
      cell: ({ groups }) => <GroupTags names={groups} most={3} />,
    },
    {
      id: 'tools',
      header: t('tools'),
      width: 64,
      align: 'end',
      inCard: 'figure',
      cell: ({ tools }) => (tools.length === 0 ? t('allTools') : tools.length),
    },
    {
      id: 'price',
      header: t('price'),
      width: 148,
      align: 'end',
      inCard: 'figure',
      cell: server => showPrices(server, status, t('free')),
    },
  ]
}
