import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { FormEvent, KeyboardEvent } from 'react'
import { accountEndpoints } from '../../../contract/accounts.ts'
import { username as usernameRule } from '../../../contract/credentials.ts'
import type { UserView } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { useKeptState } from '../../kept-state.ts'
import { selfQuery } from '../../self.ts'
import { useText } from '../../text.ts'
import { TextInput } from '../../ui/fields/fields.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { ownAccountText } from './catalogue.ts'
import styles from './own-account.module.css'

const longestDisplayName = 20

export function NamesForm({ user }: { user: UserView }) {
  const t = useText(ownAccountText)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [names, setNames] = useKeptState('names', {
    username: user.username,
    display_name: user.display_name,
  })
  const back = () => navigate({ to: '/setting', search: { tab: 'personal' } })
  const save = useMutation({
    mutationFn: (body: typeof names) => call(accountEndpoints.updateSelf, { body }),
    onSuccess: async () => {
      toast.success(t('saved'))
      await queryClient.invalidateQueries(selfQuery(user.id))
      await back()
    },
  })
  const wanted = { username: names.username.trim(), display_name: names.display_name.trim() }
  // Whoever came by a third party, or from another tool, may have longer ones: they keep what they do not change.
  const isNew = {
    username: wanted.username !== user.username,
    display_name: wanted.display_name !== user.display_name,
  }
  const faults = {
    username:
      isNew.username && !usernameRule.safeParse(wanted.username).success ? t('usernameLength') : undefined,
    display_name:
      isNew.display_name && (wanted.display_name === '' || wanted.display_name.length > longestDisplayName)
        ? t('displayNameLength')
        : undefined,
  }
  const submit = () => {
    if (save.isPending) return
    if (!isNew.username && !isNew.display_name) return toast.warning(t('unchanged'))
    if (faults.username ?? faults.display_name) return
    save.mutate({
      username: isNew.username ? wanted.username : '',
      display_name: isNew.display_name ? wanted.display_name : '',
    })
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 's') return
    event.preventDefault()
    submit()
  }
  return (
    <form className={styles.form} onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate>
      <h2 className={styles.heading}>{t('names')}</h2>
      <TextInput
        label={t('username')}
        description={t('usernameHint')}
        autoComplete="username"
        spellCheck={false}
        maxLength={50}
        value={names.username}
        error={faults.username}
        onChange={event => setNames({ ...names, username: event.currentTarget.value })}
      />
      <TextInput
        label={t('displayName')}
        autoComplete="nickname"
        maxLength={50}
        value={names.display_name}
        error={faults.display_name}
        onChange={event => setNames({ ...names, display_name: event.currentTarget.value })}
      />
      <div className={styles.actions}>
        <Button type="submit" loading={save.isPending}>
          {t('action.save')}
        </Button>
        <Button variant="default" component={Link} to="/setting">
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
