import { ANY_HTTP } from '../../../../contract/pass-through.ts'
import type { Translate } from '../../../text.ts'
import type zh from './locales/zh.ts'

interface AddressWords {
  readonly label: string
  readonly placeholder?: string
  readonly help?: string
}

/** Whose plan for coding may be named instead. */
const plans: Readonly<Record<number, string>> = {
  25: 'kimi-coding-plan',
  26: 'glm-coding-plan',
  45: 'doubao-coding-plan',
}

/** What the address of a type is called, and what it looks like. */
export function addressWords(type: number, t: Translate<keyof typeof zh>): AddressWords {
  switch (type) {
    case 2:
    case 5:
      return { label: t('addressMidjourney'), placeholder: 'https://midjourney-proxy.example' }
    case 3:
      return { label: 'AZURE_OPENAI_ENDPOINT', placeholder: 'https://docs-test-001.openai.azure.com' }
    case 8:
      return {
        label: t('addressFull', { variable: '{model}' }),
        placeholder: 'https://api.openai.com/v1/chat/completions',
      }
    case 22:
      return {
        label: t('addressPrivate'),
        placeholder: 'https://fastgpt.run/api/openapi',
      }
    case 36:
      return { label: t('addressSuno'), placeholder: 'https://suno-api.example', help: t('addressSunoHelp') }
    case 47:
    case 59:
    case 60:
    case ANY_HTTP:
      // Nobody but the operator knows where it is.
      return { label: t('address'), placeholder: 'https://…' }
    default: {
      const plan = plans[type]
      const placeholder = plan ? `https://… / ${plan}` : 'https://…'
      return { label: t('address'), placeholder, help: t('addressHelp') }
    }
  }
}

/** Whether it is shown without its password, or its token, which nobody is told again. */
export function hidesPassword(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/([^\s/?#@]*:)?\*{3}@/i.test(address)
}
