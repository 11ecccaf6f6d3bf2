import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { userEndpoints } from '../../../../contract/users.ts'
import { call } from '../../../api.ts'
import { useText } from '../../../text.ts'
import { Callout } from '../../../ui/content/callout.tsx'
import { CopyButton } from '../../../ui/content/copy-button.tsx'
import { TextInput } from '../../../ui/fields/fields.tsx'
import dialogStyles from '../../../ui/layers/dialog.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { accessTokenQuery } from './access-token-query.ts'
import { personalText } from './catalogue.ts'
import styles from './personal.module.css'

export default function AccessTokenDialog({ close }: { close(): void }) {
  const t = useText(personalText)
  const queryClient = useQueryClient()
  const present = useQuery(accessTokenQuery)
  const onSettled = () => queryClient.invalidateQueries(accessTokenQuery)
  const make = useMutation({ mutationFn: () => call(userEndpoints.accessToken), onSettled })
  const revoke = useMutation({
    mutationFn: () => call(userEndpoints.revokeAccessToken),
    onSettled,
    onSuccess: () => {
      toast.success(t('token.revoked'))
      close()
    },
  })
  return (
    // A slip would lose what is shown once.
    <Dialog
      opened
      onClose={close}
      title={t('token.title')}
      size={480}
      closeOnClickOutside={!make.isSuccess}
      closeOnEscape={!make.isSuccess}
    >
      {make.isSuccess ? (
        <div className={styles.stack}>
          <Callout>{t('token.once')}</Callout>
          <TextInput
            aria-label={t('token.title')}
            value={make.data}
            readOnly
            classNames={{ input: styles.mono }}
            onFocus={event => event.currentTarget.select()}
            rightSection={<CopyButton text={make.data} label={t('token.copy')} />}
            rightSectionWidth={40}
          />
        </div>
      ) : (
        <>
          <p>{present.data?.exists ? t('token.explain') : t('token.explainFirst')}</p>
          <div className={dialogStyles.actions}>
            {present.data?.exists && (
              <Button variant="default" loading={revoke.isPending} onClick={() => revoke.mutate()}>
                {t('token.revoke')}
              </Button>
            )}
            <Button loading={make.isPending} onClick={() => make.mutate()} data-autofocus>
              {t('token.act')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
