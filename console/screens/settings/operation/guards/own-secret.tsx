import { Button } from '@mantine/core'
import { KEPT_SECRET, LONGEST_SECRET } from '../../../../../contract/settings/define.ts'
import { useText } from '../../../../text.ts'
import { PasswordField } from '../../../../ui/fields/fields.tsx'
import { operationText } from '../catalogue.ts'

interface OwnSecretProps {
  secret: string
  error: string | undefined
  onChange(secret: string): void
}

/** The secret of one webhook. The one that is stored is never shown: typing replaces it. */
export function OwnSecret({ secret, error, onChange }: OwnSecretProps) {
  const t = useText(operationText)
  const isKept = secret === KEPT_SECRET
  return (
    <div>
      <PasswordField
        name="secret"
        label={t('guard.secret')}
        description={t('guard.secretHelp')}
        placeholder={isKept ? t('guard.secretKept') : undefined}
        value={isKept ? '' : secret}
        maxLength={LONGEST_SECRET}
        autoComplete="new-password"
        spellCheck={false}
        error={error}
        onChange={event => onChange(event.currentTarget.value)}
      />
      {isKept && (
        <Button variant="subtle" size="compact-xs" mt={4} onClick={() => onChange('')}>
          {t('guard.secretClear')}
        </Button>
      )}
    </div>
  )
}
