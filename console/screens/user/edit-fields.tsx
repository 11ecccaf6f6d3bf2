import { useQuery } from '@tanstack/react-query'
import type { ManagedUser } from '../../../contract/user-admin.ts'
import { roles } from '../../../contract/users.ts'
import { groupsQuery } from '../../groups-query.ts'
import { useText } from '../../text.ts'
import { SelectField } from '../../ui/fields/choice-fields.tsx'
import { FieldGroup } from '../../ui/fields/field-group.tsx'
import { PasswordField, TextInput } from '../../ui/fields/fields.tsx'
import { QuotaField } from '../../ui/fields/quota-field.tsx'
import type { Draft } from '../../ui/layers/use-draft.ts'
import { userText } from './catalogue.ts'
import styles from './user.module.css'
import type { UserDraft } from './user-draft.ts'

interface EditFieldsProps {
  user: ManagedUser
  draft: Draft<UserDraft>
  faults: Partial<Record<keyof UserDraft, string>>
  /** Tells how much was added to the balance. */
  add(quota: number): void
}

export function EditFields({ user, draft: { values, set }, faults, add }: EditFieldsProps) {
  const t = useText(userText)
  const groups = useQuery(groupsQuery).data ?? []
  const text = (field: 'username' | 'display_name' | 'rpm' | 'tpm' | 'concurrency', label: string) => (
    <TextInput
      id={`user-${field}`}
      label={label}
      data-autofocus={field === 'username' || undefined}
      value={values[field]}
      error={faults[field]}
      inputMode={field === 'username' || field === 'display_name' ? 'text' : 'numeric'}
      onChange={event => set(field, event.currentTarget.value)}
    />
  )
  return (
    <>
      {text('username', t('username'))}
      {user.role !== roles.team && (
        <PasswordField
          id="user-password"
          label={t('password')}
          placeholder={t('passwordKeep')}
          autoComplete="new-password"
          value={values.password}
          error={faults.password}
          onChange={event => set('password', event.currentTarget.value)}
        />
      )}
      {text('display_name', t('displayName'))}
      <SelectField
        id="user-group"
        label={t('group')}
        data={[...new Set([...groups, values.group])].filter(name => name !== '')}
        value={values.group}
        onChange={group => set('group', group ?? values.group)}
      />
      <QuotaField
        id="user-quota"
        label={t('balance')}
        value={values.quota}
        error={faults.quota}
        onChange={quota => set('quota', quota)}
        onAdd={quota => {
          add(quota)
          set('quota', String((Number(values.quota) || 0) + quota))
        }}
      />
      <FieldGroup legend={t('limits')}>
        <div className={styles.three}>
          {text('rpm', t('rpm'))}
          {text('tpm', t('tpm'))}
          {text('concurrency', t('concurrency'))}
        </div>
      </FieldGroup>
      {user.role !== roles.team && (
        <section>
          <h3 className={styles.boundHead}>{t('bound')}</h3>
          <dl className={styles.bound}>
            <Bound label="GitHub" value={user.github_id} />
            <Bound label={t('wechat')} value={user.wechat_id} />
            <Bound label={t('email')} value={user.email} />
            <Bound label="Telegram" value={user.telegram_id} />
            <Bound label="Discord" value={user.discord_id} />
            <Bound label="LinuxDO" value={user.linux_do_id} />
            <Bound label="OIDC" value={user.oidc_id} />
          </dl>
        </section>
      )}
    </>
  )
}

function Bound({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value || '–'}</dd>
    </>
  )
}
