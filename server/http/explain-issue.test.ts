import { expect, test } from 'bun:test'
import * as z from 'zod/mini'
import { queryNumber } from '../../contract/query-number.ts'
import { explainIssue } from './explain-issue.ts'

const cases: [schema: z.ZodMiniType, value: unknown, zh: string, en: string][] = [
  [z.int().check(z.gte(0)), -1, '不能小于 0', 'must be at least 0'],
  [z.int().check(z.lte(10)), 11, '不能大于 10', 'must be at most 10'],
  [z.int(), 0.5, '必须是整数', 'must be a whole number'],
  [z.int(), 2 ** 53, '不能大于 9007199254740991', 'must be at most 9007199254740991'],
  [z.number(), '5', '必须是数字', 'must be a number'],
  [z.coerce.number(), 'x', '必须是数字', 'must be a number'],
  [queryNumber, 'x', '必须是数字', 'must be a number'],
  [z.string(), 7, '必须是文本', 'must be text'],
  [z.string(), undefined, '不能缺少', 'is missing'],
  [z.boolean(), 'yes', '必须是布尔值', 'must be true or false'],
  [z.array(z.int()), {}, '必须是列表', 'must be a list'],
  [z.object({}), [], '必须是对象', 'must be an object'],
  [z.record(z.string(), z.int()), 5, '必须是对象', 'must be an object'],
  [z.string().check(z.minLength(1)), '', '不能为空', 'must not be empty'],
  [z.string().check(z.minLength(8)), 'x', '至少 8 个字符', 'must have at least 8 characters'],
  [z.string().check(z.maxLength(3)), 'xxxx', '最多 3 个字符', 'must have at most 3 characters'],
  [z.array(z.int()).check(z.minLength(1)), [], '至少 1 项', 'must have 1 or more entries'],
  [z.array(z.int()).check(z.maxLength(1)), [1, 2], '最多 1 项', 'must have 1 or fewer entries'],
  [z.enum(['a', 'b']), 'c', '必须是 a、b 之一', 'must be one of a, b'],
  [z.literal([1, 2]), 3, '必须是 1、2 之一', 'must be one of 1, 2'],
  [z.string().check(z.regex(/^a/)), 'b', '格式不正确', 'is not valid'],
  [z.string().check(z.refine(() => false)), 'b', '格式不正确', 'is not valid'],
  [z.union([z.int(), z.string()]), true, '格式不正确', 'is not valid'],
  [z.union([z.int(), z.string()]), undefined, '不能缺少', 'is missing'],
]

test.each(cases)('%# says why, in both languages', (schema, value, zh, en) => {
  const said = (language: 'zh' | 'en') =>
    schema.safeParse(value, { error: explainIssue[language] }).error?.issues[0]?.message
  expect([said('zh'), said('en')]).toEqual([zh, en])
})
