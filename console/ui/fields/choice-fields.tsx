// Fields that choose from a list. Heavier than the others, so only the forms that need them load them.
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import {
  Autocomplete,
  type AutocompleteProps,
  MultiSelect,
  type MultiSelectProps,
  Select,
  type SelectProps,
  TagsInput,
  type TagsInputProps,
} from '@mantine/core'
import { useState } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'

/** More would make typing slow; whoever looks for one of thousands types a few letters. */
const MOST_OPTIONS = 200

function useShared() {
  const t = useText(shellText)
  return {
    clearButtonProps: { 'aria-label': t('field.clear') },
    // What grows while its options come in, at the end of a form, then opens upwards.
    comboboxProps: { shadow: 'md', preventPositionChangeWhenVisible: false } as const,
    limit: MOST_OPTIONS,
  }
}

export function SelectField(props: SelectProps) {
  const t = useText(shellText)
  return (
    <Select
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('field.nothing')}
      {...useShared()}
      {...props}
    />
  )
}

export function MultiSelectField(props: MultiSelectProps) {
  const t = useText(shellText)
  return (
    <MultiSelect
      searchable
      hidePickedOptions
      nothingFoundMessage={t('field.nothing')}
      {...useShared()}
      {...props}
    />
  )
}

/** Enter sends the form: the list then leaves what comes of it in sight. */
export function AutocompleteField({ onKeyDown, ...props }: AutocompleteProps) {
  const [opened, setOpened] = useState(false)
  return (
    <Autocomplete
      {...useShared()}
      {...props}
      dropdownOpened={opened}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onKeyDown={event => {
        onKeyDown?.(event)
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) setOpened(false)
      }}
    />
  )
}

const comma = /[,，]/

/** Words of one's own, by comma or Enter; keyboards of phones do not tell which key it was. */
export function TagsField({
  onChange,
  ...props
}: Omit<TagsInputProps, 'onChange'> & { onChange(words: string[]): void }) {
  const take = (given: string[]) => {
    const words = given.flatMap(text => text.split(comma)).flatMap(word => word.trim() || [])
    onChange([...new Set(words)])
  }
  return <TagsInput splitChars={[',', '，']} acceptValueOnBlur {...useShared()} {...props} onChange={take} />
}
