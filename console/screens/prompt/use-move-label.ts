import { useMutation } from '@tanstack/react-query'
import { promptEndpoints } from '../../../contract/prompts.ts'
import { call } from '../../api.ts'
import { useText } from '../../text.ts'
import { toast } from '../../ui/layers/toast.ts'
import { promptText } from './catalogue.ts'
import { refreshPrompts } from './prompts-query.ts'

/** `from` and `to` are versions; 0 is none. */
export interface LabelMove {
  readonly label: string
  readonly from: number
  readonly to: number
}

/** As long as who has released looks whether it was right. */
const TO_TAKE_BACK = 6000

/** Moves a label, unless somebody else has meanwhile, and offers to move it back. */
export function useMoveLabel(id: number, done?: () => void) {
  const t = useText(promptText)
  const { mutate, isPending } = useMutation({
    mutationFn: ({ label, from, to }: LabelMove) =>
      to === 0
        ? call(promptEndpoints.removePromptLabel, { params: { id, label }, query: { from: String(from) } })
        : call(promptEndpoints.movePromptLabel, { params: { id, label }, body: { version: to, from } }),
    onSuccess: (_, { label, from, to }) => {
      const said = to === 0 ? t('labelRemoved', { label }) : t('released', { label, version: to })
      toast.success(said, {
        label: t('rollBack'),
        milliseconds: TO_TAKE_BACK,
        act: () => mutate({ label, from: to, to: from }),
      })
      done?.()
    },
    // Who was too late sees where it stands.
    onSettled: refreshPrompts,
  })
  return { move: mutate, isPending }
}
