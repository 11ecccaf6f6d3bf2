import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { type TeamView, teamEndpoints } from '../../../contract/teams.ts'
import { roles } from '../../../contract/users.ts'
import { actFor } from '../../acting.ts'
import { call } from '../../api.ts'
import { noticeText } from '../../notices/catalogue.ts'
import { formatQuota } from '../../quota.ts'
import { useTeam, useUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { refreshTeams } from '../../teams/own-teams.ts'
import { loadText, useText } from '../../text.ts'
import { GroupTag } from '../../ui/content/group-tag.tsx'
import { Tag } from '../../ui/content/tag.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { teamText } from './catalogue.ts'
import { InvitePanel } from './invite-panel.tsx'
import { MembersPanel } from './members-panel.tsx'
import { NameDialog } from './name-dialog.tsx'
import styles from './team.module.css'
import { teamQuery } from './team-query.ts'

const Notices = lazyPart(async () => {
  const [part] = await Promise.all([import('../../notices/notices.tsx'), loadText(noticeText)])
  return part
})

/** One team: what it has, who is in it and, for those who manage it, who is asked to be. */
export function TeamPanels({ id, gone }: { id: number; gone(): unknown }) {
  const { data, error, refetch } = useQuery(teamQuery(id))
  const isAdmin = (useUser()?.role ?? 0) >= roles.admin
  if (error && !data) return <LoadFailure error={error} retry={refetch} />
  if (!data) return <Skeleton rows={6} />
  const manages = isAdmin || data.role === 'owner'
  return (
    <>
      <TeamPanel team={data} manages={manages} gone={gone} />
      <MembersPanel team={data} manages={manages} />
      {manages && <InvitePanel team={data} />}
      {data.role === 'owner' && (
        <section className={`${styles.panel} ${styles.notices}`}>
          <Suspense fallback={<Skeleton rows={3} />}>
            <Notices email="" team={id} />
          </Suspense>
        </section>
      )}
    </>
  )
}

interface TeamPanelProps {
  team: TeamView
  manages: boolean
  gone(): unknown
}

function TeamPanel({ team, manages, gone }: TeamPanelProps) {
  const t = useText(teamText)
  const status = useStatus()
  const userId = useUser()?.id ?? 0
  const acting = useTeam()
  const [asked, setAsked] = useState<'rename' | 'leave'>()
  const leave = useMutation({
    mutationFn: () => call(teamEndpoints.leaveTeam, { params: { id: team.id } }),
    onSuccess: async () => {
      toast.success(t('done'))
      if (acting?.id === team.id) actFor(null)
      await gone()
      await refreshTeams()
    },
  })
  const amount = (quota: number) => (status ? formatQuota(quota, status) : '–')
  const { id, name } = team
  return (
    <section className={styles.panel} aria-label={name}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          {name}
          <GroupTag name={team.group} />
          {team.status !== 1 && <Tag tone="red">{t('banned')}</Tag>}
        </h2>
        <div className={styles.actions}>
          {team.role !== '' && acting?.id !== id && (
            <Button
              size="xs"
              disabled={team.status !== 1}
              onClick={() => actFor({ id, name, isOwner: team.role === 'owner', userId })}
            >
              {t('act')}
            </Button>
          )}
          {manages && (
            <Button size="xs" variant="default" onClick={() => setAsked('rename')}>
              {t('rename')}
            </Button>
          )}
          {team.role !== '' && (
            <Button size="xs" variant="default" onClick={() => setAsked('leave')}>
              {t('leave')}
            </Button>
          )}
        </div>
      </div>
      <dl className={styles.figures}>
        <div>
          <dt>{t('balance')}</dt>
          <dd>{amount(team.quota)}</dd>
        </div>
        <div>
          <dt>{t('spent')}</dt>
          <dd>{amount(team.used_quota)}</dd>
        </div>
        <div>
          <dt>{t('members')}</dt>
          <dd>{team.members.length}</dd>
        </div>
      </dl>
      {asked === 'rename' && (
        <NameDialog
          title={t('rename')}
          action={t('action.save')}
          name={name}
          save={to => call(teamEndpoints.renameTeam, { params: { id }, body: { name: to } })}
          close={() => setAsked(undefined)}
        />
      )}
      <Confirm
        opened={asked === 'leave'}
        title={t('leave')}
        action={t('leave')}
        destructive
        onConfirm={() => {
          setAsked(undefined)
          leave.mutate()
        }}
        onCancel={() => setAsked(undefined)}
      >
        {t('leaveText')}
      </Confirm>
    </section>
  )
}
