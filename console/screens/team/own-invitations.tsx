import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type OwnTeams, teamEndpoints } from '../../../contract/teams.ts'
import { call } from '../../api.ts'
import { formatMinute } from '../../format.ts'
import { refreshTeams } from '../../teams/own-teams.ts'
import { useText } from '../../text.ts'
import { toast } from '../../ui/layers/toast.ts'
import { teamText } from './catalogue.ts'
import { roleWords } from './role-words.ts'
import styles from './team.module.css'

interface OwnInvitationsProps {
  invitations: OwnTeams['invitations']
  show(team: number): unknown
}

/** Teams that ask for whoever is logged in. */
export function OwnInvitations({ invitations, show }: OwnInvitationsProps) {
  const t = useText(teamText)
  const answer = useMutation({
    mutationFn: ({ id, isAccepted }: { id: number; isAccepted: boolean }) =>
      call(isAccepted ? teamEndpoints.acceptInvitation : teamEndpoints.declineInvitation, { params: { id } }),
    onSuccess: async (_, { id, isAccepted }) => {
      toast.success(t('done'))
      await refreshTeams()
      if (isAccepted) await show(id)
    },
  })
  return (
    <ul className={`${styles.panel} ${styles.rows}`}>
      {invitations.map(({ id, name, role, invited_by, invited_at }) => (
        <li key={id} className={styles.row}>
          <div className={styles.text}>
            <div className={styles.name}>{t('asks', { by: invited_by, team: name })}</div>
            <div className={styles.lead}>
              {t(roleWords[role])} · {formatMinute(invited_at)}
            </div>
          </div>
          <div className={styles.actions}>
            <Button
              size="xs"
              disabled={answer.isPending}
              onClick={() => answer.mutate({ id, isAccepted: true })}
            >
              {t('accept')}
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={answer.isPending}
              onClick={() => answer.mutate({ id, isAccepted: false })}
            >
              {t('decline')}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}
