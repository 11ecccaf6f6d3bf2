import { useState } from 'react'
import { useText } from '../../../text.ts'
import { TextInput } from '../../../ui/fields/fields.tsx'
import { formText } from './catalogue.ts'
import { readJsonObject, withMember } from './setting-text.ts'

interface CostFieldProps {
  setting: string
  error: string | undefined
  onChange(setting: string): void
}

/** What share of the listed price the channel costs. What is typed stays as it is while it is the same number. */
export function CostField({ setting, error, onChange }: CostFieldProps) {
  const t = useText(formText)
  const read = readJsonObject(setting)
  const [typed, setTyped] = useState('')
  const known = read?.cost_ratio ?? ''
  return (
    <TextInput
      id="channel-cost"
      label={t('cost')}
      description={t('costHelp')}
      inputMode="decimal"
      autoComplete="off"
      disabled={!read}
      value={typed !== '' && Number(typed) === known ? typed : String(known)}
      error={error}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        const text = value.trim()
        const number = text === '' ? Number.NaN : Number(text)
        onChange(withMember(setting, 'cost_ratio', Number.isFinite(number) ? number : text))
      }}
    />
  )
}
