import { useState } from 'react'
import { useText } from '../../../text.ts'
import { panelsText } from './catalogue.ts'

type Typed<T> = { [K in keyof T]: T[K] extends string ? K : never }[keyof T] & string

/** The fields of one entry, all of them text. Blanks around what was typed are not kept. */
export function useEntryForm<T extends object>(first: T, required: readonly Typed<T>[]) {
  const t = useText(panelsText)
  const [tried, setTried] = useState(false)
  const [form, setForm] = useState(first)
  const entry = Object.fromEntries(
    Object.entries(form).map(([field, text]) => [field, String(text).trim()]),
  ) as T
  const isMissing = (field: Typed<T>) => required.includes(field) && entry[field] === ''
  return {
    entry,
    form,
    change: (more: Partial<T>) => setForm({ ...form, ...more }),
    /** Whether it may be taken; from now on its faults are told. */
    tryOut(): boolean {
      setTried(true)
      return !required.some(isMissing)
    },
    typed: (field: Typed<T>) => ({
      name: field,
      label: t(field as Parameters<typeof t>[0]),
      value: form[field] as string,
      autoComplete: 'off',
      error: tried && isMissing(field) ? t('required') : undefined,
      onChange: (event: { currentTarget: { value: string } }) =>
        setForm({ ...form, [field]: event.currentTarget.value }),
    }),
  }
}
