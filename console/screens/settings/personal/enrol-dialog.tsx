import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { encode } from 'uqr'
import { twoFactorEndpoints } from '../../../../contract/sign-in.ts'
import { call } from '../../../api.ts'
import { useText } from '../../../text.ts'
import { CopyButton } from '../../../ui/content/copy-button.tsx'
import { TextInput } from '../../../ui/fields/fields.tsx'
import dialogStyles from '../../../ui/layers/dialog.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { personalText } from './catalogue.ts'
import styles from './personal.module.css'
import { qrPath } from './qr-path.ts'

interface EnrolDialogProps {
  enrolment: { readonly secret: string; readonly qr_code_data: string }
  onDone(): unknown
  close(): void
}

export default function EnrolDialog({ enrolment, onDone, close }: EnrolDialogProps) {
  const t = useText(personalText)
  const [code, setCode] = useState('')
  const enable = useMutation({
    mutationFn: () => call(twoFactorEndpoints.twoFactorEnable, { body: { code: code.trim() } }),
    onSuccess: () => onDone(),
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') return toast.error(t('second.incomplete'))
    enable.mutate()
  }
  return (
    <Dialog opened onClose={close} title={t('two.enableTitle')} size={440}>
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        <p className={styles.hint}>{t('two.scan')}</p>
        <QrCode text={enrolment.qr_code_data} />
        <TextInput
          label={t('two.secret')}
          value={enrolment.secret}
          readOnly
          classNames={{ input: styles.mono }}
          rightSection={<CopyButton text={enrolment.secret} label={t('two.secretCopy')} />}
          rightSectionWidth={40}
        />
        <TextInput
          label={t('second.code')}
          description={t('two.sixDigits')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
          data-autofocus
        />
        <div className={dialogStyles.actions}>
          <Button type="submit" loading={enable.isPending}>
            {t('two.verify')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Dark on light in both themes: not every scanner reads the other way round. */
function QrCode({ text }: { text: string }) {
  const t = useText(personalText)
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: 3 })
    return { size: code.size, path: qrPath(code.data) }
  }, [text])
  return (
    <svg
      className={styles.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={t('two.qrCode')}
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
