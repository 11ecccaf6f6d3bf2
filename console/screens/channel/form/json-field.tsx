import { QuickChoices } from '../../../ui/fields/quick-choices.tsx'
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx'

interface JsonFieldProps {
  id: string
  label: string
  description?: string
  value: string
  error?: string | undefined
  /** What a click fills in. */
  templates: readonly { readonly label: string; text(value: string): string }[]
  onChange(text: string): void
}

export function JsonField({ id, label, description, value, error, templates, onChange }: JsonFieldProps) {
  return (
    // The list of faults leads here; the editor itself comes later than its place.
    <div id={id} tabIndex={-1}>
      <JsonEditor
        name={id}
        label={label}
        description={description}
        value={value}
        error={error}
        onChange={onChange}
      />
      <QuickChoices
        label={label}
        choices={templates.map(template => ({
          label: template.label,
          choose: () => onChange(template.text(value)),
        }))}
      />
    </div>
  )
}
