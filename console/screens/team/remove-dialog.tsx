import '@mantine/core/styles/Radio.layer.css'
import { Button, Radio } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type TeamView, teamEndpoints } from '../../../contract/teams.ts'
import { call } from '../../api.ts'
import { refreshTeams } from '../../teams/own-teams.ts'
import { useText } from '../../text.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { teamText } from './catalogue.ts'
import styles from './team.module.css'

interface RemoveDialogProps {
  team: number
  member: TeamView['members'][number]
  close(): void
}

/** Whoever removes somebody says what becomes of the tokens that they made. */
export function RemoveDialog({ team, member, close }: RemoveDialogProps) {
  const t = useText(teamText)
  const [tokens, setTokens] = useState<'disable' | 'keep'>('disable')
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      call(teamEndpoints.removeTeamMember, {
        params: { id: team, member: member.user_id },
        query: { tokens },
      }),
    onSuccess: async () => {
      toast.success(t('done'))
      close()
      await refreshTeams()
    },
  })
  return (
    <Dialog opened onClose={close} title={t('removeTitle', { name: member.username })} size={440}>
      <div className={styles.dialog}>
        <Radio.Group
          label={t('tokensOf')}
          value={tokens}
          onChange={value => setTokens(value === 'keep' ? 'keep' : 'disable')}
        >
          <div className={styles.dialog}>
            <Radio value="disable" label={t('stop')} mt={8} />
            <Radio value="keep" label={t('keep')} description={t('keepHelp')} />
          </div>
        </Radio.Group>
        <div className={styles.end}>
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button color="red" loading={isPending} onClick={() => mutate()}>
            {t('remove')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
