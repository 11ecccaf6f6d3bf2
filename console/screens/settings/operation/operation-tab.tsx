import { operationSettings } from '../../../../contract/settings/operation.ts'
import { SettingsForm } from '../settings-form.tsx'
import { GroupSection } from './group-section.tsx'
import { GuardSection } from './guards/guard-section.tsx'
import { LogSection } from './log-section.tsx'
import { NewsSection } from './news-section.tsx'
import { RatioSection } from './ratio-section.tsx'
import { SinkSection } from './sink-section.tsx'

const special = {
  'operation.guards': GuardSection,
  'operation.log': LogSection,
  'operation.sinks': SinkSection,
  'operation.monitoring': NewsSection,
  'operation.groups': GroupSection,
  'operation.ratios': RatioSection,
}

export default function OperationTab() {
  return <SettingsForm settings={operationSettings} special={special} />
}
