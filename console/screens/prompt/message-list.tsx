import { ActionIcon, Button } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import { variablesIn } from '../../../contract/prompt-text.ts'
import { MOST_PROMPT_MESSAGES, type PromptMessage, promptRoles } from '../../../contract/prompts.ts'
import { useText } from '../../text.ts'
import { Tag } from '../../ui/content/tag.tsx'
import { FieldGroup } from '../../ui/fields/field-group.tsx'
import { NativeSelect, Textarea } from '../../ui/fields/fields.tsx'
import { promptText } from './catalogue.ts'
import styles from './prompt.module.css'
import { isLeftBlank } from './prompt-draft.ts'
import { roleWords } from './role-words.ts'

interface MessageListProps {
  messages: readonly PromptMessage[]
  fault: string | undefined
  onChange(messages: PromptMessage[]): void
}

/** The texts of a prompt, each with who says it, and what is to be put into them. */
export function MessageList({ messages, fault, onChange }: MessageListProps) {
  const t = useText(promptText)
  const variables = variablesIn(messages.map(({ content }) => content))
  const change = (at: number, changed: Partial<PromptMessage>) =>
    onChange(messages.map((message, index) => (index === at ? { ...message, ...changed } : message)))
  const roles = promptRoles.map(value => ({ value, label: t(roleWords[value]) }))
  const last = messages.at(-1)
  /** Where whoever follows the fault is led. */
  const blank = Math.max(0, messages.findIndex(isLeftBlank))
  return (
    <FieldGroup legend={t('messages')}>
      <p className={styles.help}>{t('messagesHelp', { example: '{{name}}' })}</p>
      {messages.map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message is known by its place
        <div key={at} className={styles.message}>
          <div className={styles.head}>
            <NativeSelect
              size="xs"
              aria-label={t('role', { number: at + 1 })}
              data={roles}
              value={message.role}
              onChange={event => change(at, { role: event.currentTarget.value as PromptMessage['role'] })}
            />
            {messages.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('remove', { number: at + 1 })}
                onClick={() => onChange(messages.filter((_, index) => index !== at))}
              >
                <X size={16} aria-hidden />
              </ActionIcon>
            )}
          </div>
          <Textarea
            {...(at === blank && { id: 'prompt-messages' })}
            aria-label={t('message', { number: at + 1 })}
            autosize
            minRows={2}
            maxRows={16}
            error={fault && isLeftBlank(message, at) ? true : undefined}
            value={message.content}
            onChange={event => change(at, { content: event.currentTarget.value })}
          />
        </div>
      ))}
      {fault && <p className={styles.fault}>{fault}</p>}
      <div className={styles.bar}>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          disabled={messages.length >= MOST_PROMPT_MESSAGES}
          onClick={() =>
            onChange([...messages, { role: last?.role === 'user' ? 'assistant' : 'user', content: '' }])
          }
        >
          {t('addMessage')}
        </Button>
        {variables.length > 0 && (
          <span className={styles.variables} role="status">
            {t('variables')}
            {variables.map(name => (
              <Tag key={name} tone="blue">
                {name}
              </Tag>
            ))}
          </span>
        )}
      </div>
    </FieldGroup>
  )
}
