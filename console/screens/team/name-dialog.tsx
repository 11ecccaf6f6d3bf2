import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { LONGEST_TEAM_NAME } from '../../../contract/teams.ts'
import { refreshTeams } from '../../teams/own-teams.ts'
import { useText } from '../../text.ts'
import { TextInput } from '../../ui/fields/fields.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { teamText } from './catalogue.ts'
import styles from './team.module.css'

interface NameDialogProps<T> {
  title: string
  action: string
  name?: string
  save(name: string): Promise<T>
  done?(saved: T): unknown
  close(): void
}

/** For a team that is made, and for one that is to be called otherwise. */
export function NameDialog<T>({ title, action, name: former = '', save, done, close }: NameDialogProps<T>) {
  const t = useText(teamText)
  const [name, setName] = useState(former)
  const { mutate, isPending } = useMutation({
    mutationFn: () => save(name.trim()),
    onSuccess: async saved => {
      toast.success(t('done'))
      close()
      await refreshTeams()
      await done?.(saved)
    },
  })
  return (
    <Dialog opened onClose={close} title={title} size={420}>
      <form
        className={styles.dialog}
        onSubmit={event => {
          event.preventDefault()
          if (name.trim() !== '') mutate()
        }}
      >
        <TextInput
          id="team-name"
          label={t('name')}
          data-autofocus
          required
          maxLength={LONGEST_TEAM_NAME}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <div className={styles.end}>
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={name.trim() === '' || name.trim() === former}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
