import type { SpotlightActionGroupData } from '@mantine/spotlight'
import type { UseNavigateResult } from '@tanstack/react-router'
import { Activity, KeyRound, Users } from 'lucide-react'
import type zh from '../locales/zh.ts'
import type { Translate } from '../text.ts'
import styles from './palette.module.css'
import type { FoundRecord } from './use-found-records.ts'

const kinds = [
  { kind: 'token', icon: KeyRound, heading: 'nav.token', to: '/token/edit/$id' },
  { kind: 'channel', icon: Activity, heading: 'nav.channel', to: '/channel/edit/$id' },
  { kind: 'user', icon: Users, heading: 'palette.users', to: '/user/edit/$id' },
] as const

/** What was found on the server, by kind. One that is chosen opens in its drawer. */
export function recordGroups(
  t: Translate<keyof typeof zh>,
  records: readonly FoundRecord[],
  navigate: UseNavigateResult<string>,
): SpotlightActionGroupData[] {
  return kinds
    .map(({ kind, icon: Icon, heading, to }) => ({
      group: t(heading),
      actions: records
        .filter(record => record.kind === kind)
        .map(({ id, name, hint }) => ({
          id: `${kind}-${id}`,
          label: name || '–',
          leftSection: <Icon size={18} aria-hidden />,
          rightSection: (
            <>
              <span className={styles.hint}>{hint}</span>
              <span className={styles.id}>#{id}</span>
            </>
          ),
          onClick: () => {
            navigate({ to, params: { id: String(id) } }).catch(() => {})
          },
        })),
    }))
    .filter(({ actions }) => actions.length > 0)
}
