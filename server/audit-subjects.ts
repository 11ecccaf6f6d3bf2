type Say = (subject: string) => string

const of =
  (noun: string): Say =>
  id =>
    `${noun} ${id}`

const time = (seconds: string): string => new Date(Number(seconds) * 1000).toISOString()
const hour: Say = seconds => `the hour from ${time(seconds)}`

/** What the number that a check found is the number of: who reads it has to know where to look. */
const subjects: Readonly<Record<string, Say>> = {
  'wallet = entries - open holds': of('user'),
  'token budget = entries - open holds': of('token'),
  'no balance below zero': of('user or token'),
  'entries of users and tokens that exist': of('the entry of'),
  'every charge has its request, for the same amount': of('request'),
  'every refund has its charge, and gives back no more': of('request'),
  'every settled request has its charge': of('request'),
  'no hold without its process': of('request'),
  'no lasting hold without its job': of('request'),
  'paid orders = entries': of('order'),
  'closed months = their entries': seconds => `the month until ${time(seconds)}`,
  'closed months follow one another, unaltered': of('month'),
  'spent within limits = calls': of('limit'),
  'allowances of plans = entries': of('user'),
  'what plans took back = entries': of('user'),
  'no plan took back what was spent': of('plan'),
  'a user has one plan that runs, and it one period': of('user or plan'),
  'hourly sums = logs': hour,
  'hourly sums of labels = logs': hour,
  'hourly costs = logs': hour,
}

export function describeSubject(check: string, subject: string): string {
  return subjects[check]?.(subject) ?? subject
}
