import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { optionEndpoints } from '../../../contract/options.ts'
import { call } from '../../api.ts'
import { useText } from '../../text.ts'
import { PasswordField } from '../../ui/fields/fields.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { settingsText } from './catalogue.ts'
import { optionsQuery } from './options-query.ts'
import styles from './settings.module.css'

interface SecretFieldProps {
  name: string
  label: string
  description?: string | undefined
  error: string | undefined
  value: string
  /** Whether the server has one. */
  isSet: boolean
  onChange(event: { currentTarget: { value: string } }): void
}

/** Never shows what is stored; typing replaces it, and it can be taken away. */
export function SecretField({ isSet, label, ...field }: SecretFieldProps) {
  const t = useText(settingsText)
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(optionEndpoints.saveOption, { body: { key: field.name, value: '' } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(optionsQuery)
      toast.success(t('secretCleared', { name: label }))
    },
  })
  return (
    <div className={styles.short}>
      <PasswordField
        {...field}
        autoComplete="new-password"
        spellCheck={false}
        data-kind="secret"
        label={
          <>
            {label}{' '}
            <span className={isSet ? styles.set : styles.unset}>
              {isSet ? t('secretSet') : t('secretUnset')}
            </span>
          </>
        }
        placeholder={isSet ? t('secretKeep') : undefined}
      />
      {isSet && (
        <button
          type="button"
          className={styles.clearSecret}
          disabled={isPending}
          aria-label={t('secretClearOf', { name: label })}
          onClick={() => setAsking(true)}
        >
          {t('secretClear')}
        </button>
      )}
      <Confirm
        opened={asking}
        title={t('secretClearTitle', { name: label })}
        action={t('secretClear')}
        destructive
        onConfirm={() => {
          setAsking(false)
          mutate()
        }}
        onCancel={() => setAsking(false)}
      >
        {t('secretClearText')}
      </Confirm>
    </div>
  )
}
