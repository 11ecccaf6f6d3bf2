// Loads the calendar: use it through `lazyPart`, or in a form that is loaded lazily itself.
import 'dayjs/locale/zh-cn'
import '@mantine/dates/styles.layer.css'
import { DatesProvider, DateTimePicker } from '@mantine/dates'
import { shellText } from '../../locales/catalogue.ts'
import { useLanguage, useText } from '../../text.ts'

export interface DateTimeFieldProps {
  id?: string
  label: string
  /** Seconds since 1970; undefined for none. */
  value: number | undefined
  error?: string | undefined
  disabled?: boolean
  description?: string
  placeholder?: string
  size?: 'xs' | 'sm'
  clearable?: boolean
  onChange(seconds: number | undefined): void
}

export default function DateTimeField({
  value,
  onChange,
  size = 'sm',
  clearable = true,
  ...field
}: DateTimeFieldProps) {
  const t = useText(shellText)
  const language = useLanguage()
  return (
    <DatesProvider settings={{ locale: language === 'zh' ? 'zh-cn' : 'en' }}>
      <DateTimePicker
        {...field}
        size={size}
        clearable={clearable}
        valueFormat="YYYY-MM-DD HH:mm:ss"
        withSeconds
        value={value === undefined ? null : localText(value)}
        clearButtonProps={{ 'aria-label': t('field.clear') }}
        submitButtonProps={{ 'aria-label': t('date.done') }}
        timePickerProps={{ 'aria-label': t('time') }}
        popoverProps={{ shadow: 'md' }}
        onChange={text => onChange(text === null ? undefined : secondsOf(String(text)))}
      />
    </DatesProvider>
  )
}

/** The picker speaks in local time, written like this. */
function localText(seconds: number): string {
  const time = new Date(seconds * 1000)
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace('T', ' ')
}

function secondsOf(text: string): number | undefined {
  const time = Date.parse(text.replace(' ', 'T'))
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000)
}
