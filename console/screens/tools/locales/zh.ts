export default {
  allServers: '全部服务',
  askAdmin: '管理员添加 MCP 服务后，智能体就能使用其中的工具。',
  configure: '配置智能体',
  connect: '连接地址',
  connectHelp: 'MCP Streamable HTTP，用令牌访问；末尾加 /服务名 则只连该服务。',
  hide: '收起',
  noToken: '请先创建令牌',
  showTools: '查看工具',
  title: 'MCP 工具',
  token: '令牌',
  toolCount: '{count} 个工具',
}
