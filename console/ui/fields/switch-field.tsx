// Apart from the other fields: the account screens have no switch and should not load one.
import '@mantine/core/styles/Switch.layer.css'
import { Switch, type SwitchProps } from '@mantine/core'

export function SwitchField(props: SwitchProps) {
  return <Switch withThumbIndicator={false} {...props} />
}
