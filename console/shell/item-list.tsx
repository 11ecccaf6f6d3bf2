import { Link, useLocation } from '@tanstack/react-router'
import {
  Activity,
  ChartNoAxesColumn,
  Image,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Music,
  Plug,
  ScrollText,
  Settings,
  SquareTerminal,
  TextQuote,
  Ticket,
  Users,
  Wallet,
  Wrench,
} from 'lucide-react'
import { shellText } from '../locales/catalogue.ts'
import { type ItemId, visibleItems } from '../navigation.ts'
import { useScreenPaths } from '../screen-paths.ts'
import { useTeam, useUser } from '../session.ts'
import { useStatus } from '../status.ts'
import { useText } from '../text.ts'
import { itemLabels } from './item-labels.ts'
import styles from './sidebar.module.css'

export const itemIcons: Record<ItemId, LucideIcon> = {
  playground: SquareTerminal,
  channel: Activity,
  chat: MessagesSquare,
  token: KeyRound,
  prompt: TextQuote,
  detail: ChartNoAxesColumn,
  redemption: Ticket,
  topup: Wallet,
  user: Users,
  log: ScrollText,
  midjourney: Image,
  task: Music,
  tools: Wrench,
  mcpServer: Plug,
  setting: Settings,
}

/** Pages without an item are reached from the page of another. */
function itemAbove(pathname: string): ItemId | undefined {
  if (/^\/plan(\/|$)/.test(pathname)) return 'topup'
  return pathname === '/user/edit' ? 'setting' : undefined
}

/** The sidebar's items, also in the menu of small screens. */
export function ItemList({ collapsed = false, onFollow }: { collapsed?: boolean; onFollow?: () => void }) {
  const t = useText(shellText)
  const user = useUser()
  const team = useTeam()
  const status = useStatus()
  const screens = useScreenPaths()
  const above = useLocation({ select: ({ pathname }) => itemAbove(pathname) })
  if (!user) return null
  return (
    <nav aria-label={t('nav.console')} className={styles.items}>
      {visibleItems(user.role, status, screens, team).map(({ id, path, chats }) => {
        const Icon = itemIcons[id]
        const label = t(itemLabels[id])
        const content = (
          <>
            <Icon size={18} aria-hidden />
            <span className={styles.label}>{label}</span>
          </>
        )
        if (chats.length === 0)
          return (
            <Link
              key={id}
              to={path}
              activeOptions={{ exact: above !== undefined }}
              {...(id === above && { 'aria-current': 'true' })}
              className={styles.item}
              title={collapsed ? label : undefined}
              onClick={onFollow}
            >
              {content}
            </Link>
          )
        return (
          <details key={id} className={styles.group}>
            <summary className={styles.item} title={collapsed ? label : undefined}>
              {content}
            </summary>
            {chats.map((name, index) => (
              <a
                key={name}
                href={path.replace('$id', String(index))}
                className={styles.item}
                onClick={onFollow}
              >
                <span className={styles.label}>{name}</span>
              </a>
            ))}
          </details>
        )
      })}
    </nav>
  )
}
