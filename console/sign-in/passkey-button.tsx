import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import type { UserView } from '../../contract/users.ts'
import { useText } from '../text.ts'
import { toast } from '../ui/layers/toast.ts'
import { signInText } from './catalogue.ts'

/** Logs in without a name or a password: the passkey knows whose it is. */
export function PasskeyButton({ onDone }: { onDone(user: UserView): unknown }) {
  const t = useText(signInText)
  const login = useMutation({
    mutationFn: async () => (await import('./log-in-by-passkey.ts')).logInByPasskey(),
    onSuccess: user => (user ? onDone(user) : toast.warning(t('passkey.cancelled'))),
  })
  return (
    <Button
      variant="default"
      fullWidth
      leftSection={<Fingerprint size={16} aria-hidden />}
      loading={login.isPending}
      onClick={() => login.mutate()}
    >
      {t('passkey.use')}
    </Button>
  )
}
