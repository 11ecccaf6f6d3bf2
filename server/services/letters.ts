import type { Language } from '../../contract/language.ts'
import { escapeHtml, type Mail } from './mail.ts'

type Letter = Omit<Mail, 'to'>

interface Wording {
  subject(site: string): string
  greeting(site: string): string
  end: string
}

const codeWords: Record<Language, Wording & { says: string }> = {
  zh: {
    subject: site => `${site} 邮箱验证邮件`,
    greeting: site => `您好，您正在进行 ${site} 邮箱验证。`,
    says: '您的验证码为：',
    end: '验证码 10 分钟内有效，仅可使用一次。如果不是本人操作，请忽略此邮件。',
  },
  en: {
    subject: site => `${site}: your verification code`,
    greeting: site => `Hello, this address is being verified for ${site}.`,
    says: 'Your verification code is:',
    end: 'It is good for 10 minutes and can be used once. If it was not you, ignore this mail.',
  },
}

const resetWords: Record<Language, Wording & { says: string; link: string }> = {
  zh: {
    subject: site => `${site} 密码重置`,
    greeting: site => `您好，您正在进行 ${site} 密码重置。`,
    says: '请打开以下链接重置密码：',
    link: '重置密码',
    end: '链接 10 分钟内有效，仅可使用一次。如果不是本人操作，请忽略此邮件，您的密码不会改变。',
  },
  en: {
    subject: site => `${site}: reset your password`,
    greeting: site => `Hello, a new password was asked for at ${site}.`,
    says: 'Open this link to reset your password:',
    link: 'Reset the password',
    end: 'It is good for 10 minutes and can be used once. If it was not you, ignore this mail: nothing changes.',
  },
}

export function codeLetter(site: string, code: string, language: Language): Letter {
  const { subject, greeting, says, end } = codeWords[language]
  return {
    subject: subject(site),
    text: `${greeting(site)}\n\n${says} ${code}\n\n${end}\n`,
    html: paragraphs(escapeHtml(greeting(site)), `${says} <strong>${escapeHtml(code)}</strong>`, end),
  }
}

export function resetLetter(site: string, link: string, language: Language): Letter {
  const words = resetWords[language]
  const href = escapeHtml(link)
  return {
    subject: words.subject(site),
    text: `${words.greeting(site)}\n\n${words.says}\n${link}\n\n${words.end}\n`,
    html: paragraphs(
      escapeHtml(words.greeting(site)),
      `${words.says} <a href="${href}">${words.link}</a>`,
      href,
      words.end,
    ),
  }
}

function paragraphs(...parts: readonly string[]): string {
  return parts.map(part => `<p>${part}</p>`).join('\n')
}
