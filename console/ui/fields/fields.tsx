// The fields of forms, with the names their buttons need and the styles they come with.
import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'

export { NativeSelect, Textarea, TextInput } from '@mantine/core'

export function PasswordField(props: PasswordInputProps) {
  const t = useText(shellText)
  return (
    <PasswordInput
      aria-invalid={Boolean(props.error)}
      visibilityToggleButtonProps={{ 'aria-label': t('field.togglePassword') }}
      {...props}
    />
  )
}
