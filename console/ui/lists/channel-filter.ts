import { listText } from '../../lists/catalogue.ts'
import { translate } from '../../text.ts'
import { toast } from '../layers/toast.ts'
import type { Filter } from './filter-bar.tsx'
import { textFilter } from './search-box.tsx'

interface ChannelFilterProps {
  label: string
  value: number | undefined
  onChange(channel: number | undefined): void
}

/** A channel by its number; what is none is told so, and nothing is asked for. */
export function channelFilter({ label, value, onChange }: ChannelFilterProps): Filter {
  return textFilter('channel', {
    label,
    value: value === undefined ? '' : String(value),
    onSearch(text) {
      const channel = Number(text)
      if (text !== '' && !(Number.isSafeInteger(channel) && channel > 0))
        toast.error(translate(listText)('channelWrong'))
      else onChange(text === '' ? undefined : channel)
    },
  })
}
