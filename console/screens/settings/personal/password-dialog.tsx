import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { accountEndpoints } from '../../../../contract/accounts.ts'
import { password } from '../../../../contract/credentials.ts'
import { ApiError, call } from '../../../api.ts'
import { useText } from '../../../text.ts'
import { PasswordField } from '../../../ui/fields/fields.tsx'
import { SwitchField } from '../../../ui/fields/switch-field.tsx'
import dialogStyles from '../../../ui/layers/dialog.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { accessTokenQuery } from './access-token-query.ts'
import { personalText } from './catalogue.ts'
import styles from './personal.module.css'
import { sessionsQuery } from './sessions-query.ts'

export default function PasswordDialog({ close }: { close(): void }) {
  const t = useText(personalText)
  const queryClient = useQueryClient()
  const token = useQuery(accessTokenQuery)
  // Where it cannot be known the choice is still the reader's.
  const mayHaveToken = token.isError || token.data?.exists
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { present: '', next: '', again: '', revoke: true },
    validate: {
      next: value => {
        if (value.length < 8) return t('passwordShort')
        return password.safeParse(value).success ? null : t('passwordLong')
      },
      again: (value, values) => (value === values.next ? null : t('passwordsDiffer')),
    },
  })
  const change = useMutation({
    mutationFn: ({ present, next, revoke }: typeof form.values) =>
      call(accountEndpoints.updateSelf, {
        body: { password: next, original_password: present, revoke_access_token: revoke },
      }).catch(refusalOf),
    onSuccess: async answer => {
      if (answer instanceof ApiError) {
        form.setFieldError('present', answer.message)
        form.getInputNode('present')?.focus()
        return
      }
      toast.success(t('password.done'))
      close()
      await queryClient.invalidateQueries(sessionsQuery)
    },
  })
  return (
    <Dialog opened onClose={close} title={t('password.act')} size={440}>
      <form className={styles.form} onSubmit={form.onSubmit(values => change.mutate(values))} noValidate>
        <PasswordField
          label={t('password.present')}
          description={t('password.presentHint')}
          autoComplete="current-password"
          maxLength={200}
          data-autofocus
          key={form.key('present')}
          {...form.getInputProps('present')}
        />
        <PasswordField
          label={t('newPassword')}
          description={t('passwordHint')}
          autoComplete="new-password"
          maxLength={200}
          key={form.key('next')}
          {...form.getInputProps('next')}
        />
        <PasswordField
          label={t('password.again')}
          autoComplete="new-password"
          maxLength={200}
          key={form.key('again')}
          {...form.getInputProps('again')}
        />
        {mayHaveToken && (
          <SwitchField
            label={t('token.revokeToo')}
            key={form.key('revoke')}
            {...form.getInputProps('revoke', { type: 'checkbox' })}
          />
        )}
        <div className={dialogStyles.actions}>
          <Button type="submit" loading={change.isPending}>
            {t('password.act')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The new password has been looked at here: what the server refuses is the present one. */
function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError && error.kind === 'refused') return error
  throw error
}
