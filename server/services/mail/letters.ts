import type { Language } from '../../../contract/language.ts'
import { escapeHtml } from '../escape-html.ts'
import type { Mail } from './send-mail.ts'

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

const movedWords: Record<Language, Pick<Wording, 'subject' | 'end'> & { says(name: string): string }> = {
  zh: {
    subject: site => `${site} 绑定邮箱已更换`,
    says: name => `您好，账户 ${name} 已改为绑定另一个邮箱，此邮箱不再用于登录和重置密码。`,
    end: '如果不是本人操作，说明他人正在使用您的账户，请立即修改密码或联系管理员。',
  },
  en: {
    subject: site => `${site}: your email address was replaced`,
    says: name =>
      `Hello, the account ${name} has another email address now. This one no longer logs in or resets the password.`,
    end: 'If it was not you, somebody else is using your account: change the password or tell the administrator at once.',
  },
}

const testWords: Record<Language, Pick<Wording, 'subject' | 'end'>> = {
  zh: { subject: site => `${site} 测试邮件`, end: '收到这封邮件，说明邮件设置可以使用。' },
  en: { subject: site => `${site}: test mail`, end: 'You have this mail, so the mail settings work.' },
}

export function testLetter(site: string, language: Language): Letter {
  const { subject, end } = testWords[language]
  return { subject: subject(site), text: `${end}\n`, html: paragraphs(end) }
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

/** To an address that is no longer the account's. */
export function movedLetter(site: string, name: string, language: Language): Letter {
  const { subject, says, end } = movedWords[language]
  return {
    subject: subject(site),
    text: `${says(name)}\n\n${end}\n`,
    html: paragraphs(escapeHtml(says(name)), end),
  }
}

function paragraphs(...parts: readonly string[]): string {
  return parts.map(part => `<p>${part}</p>`).join('\n')
}
