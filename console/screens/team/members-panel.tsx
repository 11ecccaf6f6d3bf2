import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { type TeamRole, type TeamView, teamEndpoints } from '../../../contract/teams.ts'
import { call } from '../../api.ts'
import { formatMinute } from '../../format.ts'
import { formatQuota } from '../../quota.ts'
import { useUser } from '../../session.ts'
import { spendingText } from '../../spending/catalogue.ts'
import { useLimitWords } from '../../spending/use-limit-words.ts'
import { useStatus } from '../../status.ts'
import { refreshTeams } from '../../teams/own-teams.ts'
import { useText } from '../../text.ts'
import { Tag } from '../../ui/content/tag.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { teamText } from './catalogue.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { roleWords } from './role-words.ts'
import styles from './team.module.css'

const LimitDialog = lazyPart(() => import('../../spending/limit-dialog.tsx'))

type Member = TeamView['members'][number]

export function MembersPanel({ team, manages }: { team: TeamView; manages: boolean }) {
  const t = useText(teamText)
  const status = useStatus()
  const ownId = useUser()?.id
  const spending = useText(spendingText)
  const limitWords = useLimitWords()
  const [removed, setRemoved] = useState<Member>()
  const [limited, setLimited] = useState<Member>()
  const change = useMutation({
    mutationFn: ({ member, role }: { member: number; role: TeamRole }) =>
      call(teamEndpoints.changeTeamMember, { params: { id: team.id, member }, body: { role } }),
    onSuccess: () => {
      toast.success(t('done'))
      return refreshTeams()
    },
  })
  const actions = (member: Member) => {
    const role: TeamRole = member.role === 'owner' ? 'member' : 'owner'
    return [
      {
        id: 'role',
        label: t(role === 'owner' ? 'makeOwner' : 'makeMember'),
        act: () => change.mutate({ member: member.user_id, role }),
      },
      { id: 'limit', label: spending('title'), act: () => setLimited(member) },
      { id: 'remove', label: t('remove'), destructive: true, act: () => setRemoved(member) },
    ]
  }
  const about = (member: Member) => {
    const joined = t('joined', { time: formatMinute(member.added_at) })
    if (!status || !(manages || member.user_id === ownId)) return joined
    const used = formatQuota(member.used_quota, status)
    return `${joined} · ${t('made', { count: member.tokens, used })}`
  }
  return (
    <section className={styles.panel} aria-label={t('members')}>
      <div className={styles.head}>
        <h2>{t('members')}</h2>
      </div>
      <ul className={styles.rows}>
        {team.members.map(member => (
          <li key={member.user_id} className={styles.row}>
            <div className={styles.text}>
              <div className={styles.name}>
                {member.username}
                <Tag tone={member.role === 'owner' ? 'yellow' : 'blue'}>{t(roleWords[member.role])}</Tag>
                {member.status !== 1 && <Tag tone="grey">{t('banned')}</Tag>}
              </div>
              <div className={styles.lead}>{about(member)}</div>
              {limitWords(member.limits).map(words => (
                <div key={words} className={styles.lead}>
                  {words}
                </div>
              ))}
            </div>
            {manages && (
              <MoreButton
                row={member.user_id}
                label={t('table.more', { name: member.username })}
                actions={() => actions(member)}
              />
            )}
          </li>
        ))}
      </ul>
      {limited && (
        <Suspense>
          <LimitDialog
            name={limited.username}
            limits={limited.limits}
            save={async limits => {
              const params = { id: team.id, member: limited.user_id }
              await call(teamEndpoints.limitTeamMember, { params, body: { limits } })
              toast.success(t('done'))
              await refreshTeams()
            }}
            close={() => setLimited(undefined)}
          />
        </Suspense>
      )}
      {removed && <RemoveDialog team={team.id} member={removed} close={() => setRemoved(undefined)} />}
    </section>
  )
}
