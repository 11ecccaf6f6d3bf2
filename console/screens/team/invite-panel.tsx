import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type TeamRole, type TeamView, teamEndpoints, teamRoles } from '../../../contract/teams.ts'
import { call } from '../../api.ts'
import { formatMinute } from '../../format.ts'
import { refreshTeams } from '../../teams/own-teams.ts'
import { useText } from '../../text.ts'
import { NativeSelect, TextInput } from '../../ui/fields/fields.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { teamText } from './catalogue.ts'
import { roleWords } from './role-words.ts'
import styles from './team.module.css'

/** Asks people into a team, and shows who has been asked. */
export function InvitePanel({ team }: { team: TeamView }) {
  const t = useText(teamText)
  const [invitee, setInvitee] = useState('')
  const [role, setRole] = useState<TeamRole>('member')
  const invite = useMutation({
    mutationFn: () =>
      call(teamEndpoints.inviteToTeam, { params: { id: team.id }, body: { invitee: invitee.trim(), role } }),
    onSuccess: () => {
      toast.success(t('done'))
      setInvitee('')
      return refreshTeams()
    },
  })
  const withdraw = useMutation({
    mutationFn: (invitation: number) =>
      call(teamEndpoints.withdrawInvitation, { params: { id: team.id, invitation } }),
    onSuccess: refreshTeams,
  })
  return (
    <section className={styles.panel} aria-label={t('invite')}>
      <div className={styles.head}>
        <h2>{t('invite')}</h2>
      </div>
      <form
        className={styles.invite}
        onSubmit={event => {
          event.preventDefault()
          if (invitee.trim() !== '') invite.mutate()
        }}
      >
        <TextInput
          id="team-invitee"
          label={t('invitee')}
          autoComplete="off"
          maxLength={254}
          value={invitee}
          onChange={event => setInvitee(event.currentTarget.value)}
        />
        <NativeSelect
          id="team-role"
          label={t('member.role')}
          value={role}
          data={teamRoles.toReversed().map(value => ({ value, label: t(roleWords[value]) }))}
          onChange={event => setRole(event.currentTarget.value === 'owner' ? 'owner' : 'member')}
        />
        <Button type="submit" loading={invite.isPending} disabled={invitee.trim() === ''}>
          {t('invite')}
        </Button>
      </form>
      <p className={styles.help}>{t('inviteeHelp')}</p>
      {team.invitations.length > 0 && (
        <ul className={styles.rows} aria-label={t('invitations')}>
          {team.invitations.map(({ id, invitee: name, role: asked, invited_at }) => (
            <li key={id} className={styles.row}>
              <div className={styles.text}>
                <div className={styles.name}>{name}</div>
                <div className={styles.lead}>
                  {t(roleWords[asked])} · {formatMinute(invited_at)}
                </div>
              </div>
              <Button
                size="xs"
                variant="subtle"
                aria-label={t('table.actionOn', { action: t('withdraw'), name })}
                disabled={withdraw.isPending}
                onClick={() => withdraw.mutate(id)}
              >
                {t('withdraw')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
