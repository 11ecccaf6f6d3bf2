import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { SectionId } from '../../../contract/settings/sections.ts'
import { useLanguage, useText } from '../../text.ts'
import { toast } from '../../ui/layers/toast.ts'
import { settingsText } from './catalogue.ts'
import { faultOf, type SavedText, type Settings, saveOrder, type Texts } from './draft.ts'
import { type Options, optionsQuery } from './options-query.ts'
import { saveOptions } from './save-options.ts'

interface SaveSectionInput {
  id: SectionId
  settings: Settings
  changed: readonly string[]
  edits: Texts
  bases: Texts
  options: Options
  onSaved(saved: readonly SavedText[]): void
  onRefused(messages: Texts, edited: readonly string[]): void
}

export function useSaveSection({
  id,
  settings,
  changed,
  edits,
  bases,
  options,
  onSaved,
  onRefused,
}: SaveSectionInput) {
  const t = useText(settingsText)
  const language = useLanguage()
  const queryClient = useQueryClient()
  const [confirming, setConfirming] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: saveOptions,
    onSuccess: async ({ saved, failed, edited }) => {
      // Much of what the console shows comes from settings, so all of it is asked for again.
      await queryClient.invalidateQueries(optionsQuery)
      // At once: who reads that it is saved may leave without being asked.
      flushSync(() => {
        onSaved(saved)
        onRefused(failed, edited)
      })
      queryClient.invalidateQueries({ predicate: query => query.queryKey[0] !== 'options' }).catch(() => {})
      const refusals = [...new Set(Object.values(failed))]
      if (refusals.length === 0) return toast.success(t('saved'))
      showFault()
      // Trying again is of no use where somebody else was first: that has to be looked at.
      const isClash = edited.length === Object.keys(failed).length
      const lead = isClash ? [] : [saved.length === 0 ? t('failed') : t('someFailed')]
      toast.error([...lead, ...refusals].join('\n'))
    },
  })

  /** A section may be longer than the window, and its button stands at its end. */
  const showFault = () => {
    document.getElementById(id)?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }

  /** `over`: what somebody else has saved meanwhile was seen, and gives way. */
  const save = (decided?: 'confirmed' | 'over') => {
    setConfirming(false)
    if (isPending) return
    if (changed.length === 0) return toast.warning(t('unchanged'))
    const wrong = changed.some(key => {
      const setting = settings[key]
      return setting && faultOf(setting, edits[key] ?? '', language) !== undefined
    })
    if (wrong) {
      showFault()
      return toast.error(t('checkInput'))
    }
    if (id === 'system.payment' && (options.values.ServerAddress ?? '') === '')
      return toast.error(t('serverAddressFirst'))
    const losesPasswords = changed.includes('PasswordLoginEnabled') && edits.PasswordLoginEnabled === 'false'
    if (losesPasswords && decided !== 'confirmed') return setConfirming(true)
    const from = decided === 'over' ? options.revisions : bases
    mutate(
      saveOrder(settings, changed, edits).map(key => ({
        key,
        value: edits[key] ?? '',
        revision: from[key],
      })),
    )
  }

  return { save, saving: isPending, confirming, cancel: () => setConfirming(false) }
}
