import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { twoFactorEndpoints } from '../../../contract/sign-in.ts'
import type { UserView } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { useText } from '../../text.ts'
import formStyles from '../../ui/auth-card.module.css'
import { TextInput } from '../../ui/fields.tsx'
import { loginText } from './catalogue.ts'

/** For accounts with an authenticator app: the password was right, now a code. */
export function SecondStep({ ticket, onDone }: { ticket: string; onDone: (user: UserView) => unknown }) {
  const t = useText(loginText)
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' } })
  const finish = useMutation({
    mutationFn: ({ code }: { code: string }) =>
      call(twoFactorEndpoints.secondStep, { body: { flow_token: ticket, code } }),
    onSuccess: user => onDone(user),
  })
  return (
    <form className={formStyles.form} onSubmit={form.onSubmit(values => finish.mutate(values))} noValidate>
      <TextInput
        label={t('code')}
        description={t('codeHelp')}
        autoComplete="one-time-code"
        autoFocus
        required
        withAsterisk={false}
        maxLength={20}
        key={form.key('code')}
        {...form.getInputProps('code')}
      />
      <Button type="submit" fullWidth loading={finish.isPending}>
        {t('submit')}
      </Button>
    </form>
  )
}
