import { otherSettings } from '../../../contract/settings/other.ts'
import { panelSections } from './panels/panel-sections.tsx'
import { SettingsForm } from './settings-form.tsx'

export default function OtherTab() {
  return <SettingsForm settings={otherSettings} special={panelSections} />
}
