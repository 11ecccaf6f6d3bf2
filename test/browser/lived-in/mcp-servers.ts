import type { Client } from '../../client.ts'
import { startMcpUpstream } from '../../mcp/upstream.ts'
import { type SampleTool, startToolServer } from './tool-server.ts'

/** Servers of every state: one as usual, one with as many tools as anybody has, one with none, and some that are away. */
export async function addMcpServers(root: Client): Promise<void> {
  const servers = [
    {
      ...{ name: 'docs', url: startMcpUpstream('plain').url, note: '产品文档与知识库检索' },
      groups: ['default', 'vip'],
    },
    {
      ...{ name: 'github', url: 'https://api.githubcopilot.example.com/mcp/', groups: ['vip', 'svip'] },
      ...{ headers: { Authorization: 'Bearer stage-github-token' }, price: 500 },
      ...{ note: 'Issues, pull requests and code search', tools: ['search_code', 'list_issues', 'get_file'] },
    },
    {
      ...{
        name: 'web-search',
        url: 'http://127.0.0.1:9/mcp',
        groups: ['default', 'vip', 'svip'],
      },
      ...{ headers: { 'X-API-Key': 'stage-search-key' }, price: 2500, timeout: 20 },
    },
    { name: 'old-crm', url: 'http://10.0.0.12:8080/mcp', groups: ['svip'], enabled: false },
    {
      ...{ name: 'tickets-and-projects-of-the-team', url: startToolServer('Work', workTools()) },
      ...{ groups: ['default', 'vip', 'svip'], price: 12_500 },
      tool_prices: { close_cycle: 0, list_issue: 2500, search_issue: 5000 },
      note: '工单、项目、排期与工时：查询、创建、流转和汇总，覆盖研发、测试、运维与客服四个团队的全部看板。',
    },
    { name: 'warehouse', url: startToolServer('Warehouse', []), groups: ['default'], price: 50 },
  ]
  for (const server of servers) {
    const { json } = await root.post('/api/mcp_server', server)
    if (!json?.success) throw new Error(`an MCP server was refused: ${JSON.stringify(json)}`)
  }
}

/** Sixty, some of which have much to say, or names that no line is long enough for. */
function workTools(): SampleTool[] {
  const verbs = ['list', 'get', 'create', 'update', 'archive', 'search']
  const things = ['issue', 'project', 'cycle', 'comment', 'label', 'team', 'worklog', 'attachment', 'view']
  const usual = verbs.flatMap(verb =>
    things.map(thing => ({ name: `${verb}_${thing}`, description: `${verb} one or several of: ${thing}` })),
  )
  const long = {
    name: 'generate_weekly_engineering_capacity_report_for_all_teams_and_their_subteams',
    description:
      'Builds the report of a week.\n\nUse it when somebody asks what the teams have done or have room for. Takes `week` (ISO, 2026-W46) and optionally `teams`; without them all teams that the caller may see are in it. Answers with Markdown: a table per team, the hours planned and booked, what is blocked and by whom, and at the end https://work.example.com/reports/2026-W46?teams=all&format=markdown&include=subteams,worklogs,blockers',
  }
  const terse = Array.from({ length: 4 }, (_, at) => ({ name: `sync_board_${at + 1}`, description: '' }))
  const chinese = { name: 'close_cycle', description: '结束当前迭代，把未完成的工单移到下一个迭代。' }
  return [long, chinese, ...usual, ...terse]
}
